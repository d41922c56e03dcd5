package kmr

import (
	"io"
	"math"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/options"
)

// The parts of the evaluation, in the order in which they run.
const (
	partSubjects = "programs"
	partK        = "k"
	partLevels   = "levels"
)

func parts() []string { return []string{partSubjects, partK, partLevels} }

// settings are what the flags say.
type settings struct {
	parts    []string
	subjects []string
	mutants  int
	suites   int // for each criterion and k, and for each level
	draws    int
	perFrame int
	plain    int
	seed     uint64
	list     bool // name the mutants that are left out or not detected
}

func known() []string {
	var out []string
	for _, s := range properties.Subjects() {
		out = append(out, s.Describe().Name)
	}
	return out
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("kmr", out)
	fs.AddParts(parts())
	subjects := fs.String("subjects", strings.Join(known(), ","), "subjects, separated by commas")
	fs.IntVar(&o.mutants, "mutants", 10_000, "most mutants for each subject; the default is more than any has")
	fs.IntVar(&o.suites, "suites", 100, "test suites for each criterion and k, and for each criterion and level of adequacy")
	fs.IntVar(&o.draws, "draws", 200_000, "random inputs from which the pool is taken, and as many on which mutants that survive it are compared")
	fs.IntVar(&o.perFrame, "per-frame", 10, "source inputs of each complete test frame")
	fs.IntVar(&o.plain, "plain", 100, "random source inputs besides")
	fs.Uint64Var(&o.seed, "seed", 1, "of inputs and test suites, less than 2^31")
	fs.BoolVar(&o.list, "list", false, "list the mutants that nothing distinguishes from the original, that hang, and that no group detects, to find out why")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.mutants < 1 || o.suites < 1 || o.draws < 1 || o.perFrame < 1 || o.plain < 0 || o.draws > math.MaxInt32 || o.seed > math.MaxInt32 {
		return o, options.Wrong("-mutants, -suites, -draws and -per-frame must be at least 1, -plain at least 0, -draws and -seed less than 2^31")
	}
	o.parts = fs.Parts()
	var err error
	o.subjects, err = options.ChooseSome("subjects", *subjects, known())
	return o, err
}
