package speed

import (
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/evaluate/subject"
)

// settings are what the flags say.
type settings struct {
	repositories []repository
	subjects     []string // of the distribution
	binaries     []binary
	budget       time.Duration
	seed         uint64
	flags        []string // of isodelta, for all
	drawing      string   // file, "" for none
}

// repository is a local one with what is compared in it.
type repository struct{ name, dir, base, head string }

// binary is an isodelta to measure.
type binary struct{ name, file string }

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("speed", out)
	repositories := fs.String("repositories", "", "local repositories, separated by commas, each as DIR@BASE..HEAD")
	subjects := fs.String("subjects", "", "packages of the distribution, separated by commas (default text/tabwriter,encoding/csv,net/mail where there are no repositories)")
	binaries := fs.String("binaries", "", "isodelta commands to measure side by side, separated by commas, each as NAME=FILE (default: this module's)")
	flags := fs.String("flags", "", "further flags for isodelta, separated by blanks")
	fs.StringVar(&o.drawing, "drawing", "", "write a drawing of where the time went, an SVG `file`")
	fs.DurationVar(&o.budget, "budget", time.Minute, "of one comparison")
	fs.Uint64Var(&o.seed, "seed", 1, "of the choice of mutants, and of the comparisons")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.budget <= 0 {
		return o, options.Wrong("-budget must be more than 0")
	}
	o.flags = strings.Fields(*flags)
	for _, text := range list(*repositories) {
		dir, revisions, ok := strings.Cut(text, "@")
		base, head, two := strings.Cut(revisions, "..")
		if !ok || !two || dir == "" || base == "" || head == "" {
			return o, options.Wrong("-repositories: %q is not DIR@BASE..HEAD", text)
		}
		o.repositories = append(o.repositories, repository{filepath.Base(filepath.Clean(dir)) + "@" + head, dir, base, head})
	}
	for _, text := range list(*binaries) {
		name, file, ok := strings.Cut(text, "=")
		if !ok || name == "" || file == "" {
			return o, options.Wrong("-binaries: %q is not NAME=FILE", text)
		}
		o.binaries = append(o.binaries, binary{name, file})
	}
	if *subjects == "" && len(o.repositories) == 0 {
		*subjects = "text/tabwriter,encoding/csv,net/mail"
	}
	var err error
	o.subjects, err = options.Choose("subjects", *subjects, subject.Names())
	return o, err
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}
