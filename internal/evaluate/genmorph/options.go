package genmorph

import (
	"io"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/options"
)

// settings are what the flags say.
type settings struct {
	methods []string
	inputs  int // for measuring
	mutants int // most for each method
	seed    uint64
	list    bool // the relations
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	var known []string
	for _, m := range methodsOf() {
		known = append(known, m.name)
	}
	fs := options.New("genmorph", out)
	wanted := fs.String("subjects", strings.Join(known, ","), "methods, separated by commas")
	fs.IntVar(&o.inputs, "inputs", 600, "inputs for measuring, of each method")
	fs.IntVar(&o.mutants, "mutants", 60, "mutants of each method, at most")
	fs.Uint64Var(&o.seed, "seed", 1, "of the search and the mutants; inputs have others")
	fs.BoolVar(&o.list, "list", false, "list the relations with what they detect")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.inputs < 1 || o.mutants < 1 {
		return o, options.Wrong("-inputs and -mutants must be at least 1")
	}
	for name := range strings.SplitSeq(*wanted, ",") {
		if !slices.Contains(known, name) {
			return o, options.Wrong("-subjects: there is no method %q; there are %s", name, strings.Join(known, ", "))
		}
		o.methods = append(o.methods, name)
	}
	return o, nil
}
