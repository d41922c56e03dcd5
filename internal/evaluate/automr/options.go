package automr

import (
	"io"
	"os/exec"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/options"
)

// The parts of the evaluation, in the order in which they run.
const (
	partInference = "inference"
	partLaws      = "laws"
	partDetection = "detection"
	partAlarms    = "alarms"
	partSolver    = "implied"
	partMethods   = "methods"
)

func parts() []string {
	return []string{partInference, partLaws, partDetection, partAlarms, partSolver, partMethods}
}

// settings are what the flags say.
type settings struct {
	parts    []string
	subjects []string
	seed     uint64
	groups   int    // for each relation, on mutants
	direct   int    // inputs of a direct comparison
	runs     int    // swarms of the paper's method for each type
	solver   string // SMT solver for the inference, "" for none
	list     bool
	missed   bool
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("automr", out)
	fs.AddParts(parts())
	subjects := fs.String("subjects", "all", "programs, separated by commas; apache is the eight whose mutants are tried")
	fs.Uint64Var(&o.seed, "seed", 1, "of the inference; the groups that mutants are tried with have another")
	fs.IntVar(&o.groups, "groups", 300, "metamorphic groups of each relation that mutants are tried with")
	fs.IntVar(&o.direct, "direct", 200_000, "inputs on which mutants are compared with the original directly, to tell likely equivalent ones")
	fs.IntVar(&o.runs, "runs", 0, "particle swarms of each type for the paper's method; 0 is the engine's default")
	fs.StringVar(&o.solver, "solver", solver(), "path of an SMT solver that the inference may use, empty for none; z3 or cvc5 if the PATH has one (apt-get install z3)")
	fs.BoolVar(&o.list, "list", false, "list all relations kept")
	fs.BoolVar(&o.missed, "missed", false, "list the mutants that differ from the original and that no relation kills")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.groups < 1 || o.direct < 1 || o.runs < 0 {
		return o, options.Wrong("-groups and -direct must be at least 1, -runs at least 0")
	}
	o.parts = fs.Parts()
	var err error
	o.subjects, err = choose(*subjects)
	return o, err
}

// solver is the first known one of the PATH.
func solver() string {
	for _, name := range []string{"z3", "cvc5"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// choose returns the programs of a list, in the order of those known.
func choose(list string) ([]string, error) {
	all, apache := options.Group{Name: "all"}, options.Group{Name: "apache"}
	for _, p := range programs() {
		all.Of = append(all.Of, p.name)
		if p.apache {
			apache.Of = append(apache.Of, p.name)
		}
	}
	return options.ChooseSome("subjects", list, all.Of, all, apache)
}

// some are those of the subjects that a condition holds for.
func (o settings) some(holds func(program) bool) []string {
	return slices.DeleteFunc(slices.Clone(o.subjects), func(name string) bool { return !holds(named([]string{name})[0]) })
}
