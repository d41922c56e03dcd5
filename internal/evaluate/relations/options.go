package relations

import (
	"io"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/evaluate/relations/subjects"
)

// settings are what the flags say.
type settings struct {
	subjects []string
	inputs   int // on which each relation is judged
	seed     int64
	list     bool // name the laws that are false
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	var known []string
	for _, s := range subjects.All() {
		known = append(known, s.Name)
	}
	fs := options.New("relations", out)
	wanted := fs.String("subjects", strings.Join(known, ","), "subjects, separated by commas")
	fs.IntVar(&o.inputs, "inputs", 1_000_000, "inputs on which each relation is judged")
	fs.Int64Var(&o.seed, "seed", 1, "of the inference; inputs have another")
	fs.BoolVar(&o.list, "list", false, "list the laws that are false, and the planted ones")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.inputs < 1 {
		return o, options.Wrong("-inputs must be at least 1")
	}
	for name := range strings.SplitSeq(*wanted, ",") {
		if !slices.Contains(known, name) {
			return o, options.Wrong("-subjects: there is no subject %q; there are %s", name, strings.Join(known, ", "))
		}
		o.subjects = append(o.subjects, name)
	}
	return o, nil
}
