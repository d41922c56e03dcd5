package automr

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// The parts of the evaluation, in the order in which they run.
const (
	partInference = "inference"
	partLaws      = "laws"
	partDetection = "detection"
	partAlarms    = "alarms"
	partMethods   = "methods"
)

func parts() []string {
	return []string{partInference, partLaws, partDetection, partAlarms, partMethods}
}

// options are the flags.
type options struct {
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

// A UsageError says which flag is wrong and what it may be.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("evaluate automr", flag.ContinueOnError)
	fs.SetOutput(out)
	asked := map[string]*bool{}
	for _, p := range parts() {
		asked[p] = fs.Bool(p, false, "run this part and others so named only (default all)")
	}
	subjects := fs.String("subjects", "all", "programs, separated by commas; apache is the eight whose mutants are tried")
	fs.Uint64Var(&o.seed, "seed", 1, "of the inference; the groups that mutants are tried with have another")
	fs.IntVar(&o.groups, "groups", 300, "metamorphic groups of each relation that mutants are tried with")
	fs.IntVar(&o.direct, "direct", 200_000, "inputs on which mutants are compared with the original directly, to tell likely equivalent ones")
	fs.IntVar(&o.runs, "runs", 0, "particle swarms of each type for the paper's method; 0 is the engine's default")
	fs.StringVar(&o.solver, "solver", solver(), "path of an SMT solver that the inference may use, empty for none; z3 or cvc5 if the PATH has one")
	fs.BoolVar(&o.list, "list", false, "list all relations kept")
	fs.BoolVar(&o.missed, "missed", false, "list the mutants that differ from the original and that no relation kills")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, &UsageError{err.Error()}
	}
	if fs.NArg() > 0 {
		return o, &UsageError{fmt.Sprintf("unexpected argument %q; all settings are flags", fs.Arg(0))}
	}
	if o.groups < 1 || o.direct < 1 || o.runs < 0 {
		return o, &UsageError{"-groups and -direct must be at least 1, -runs at least 0"}
	}
	for _, p := range parts() {
		if *asked[p] {
			o.parts = append(o.parts, p)
		}
	}
	if len(o.parts) == 0 {
		o.parts = parts()
	}
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

// choose splits a list of programs and keeps the order of those known.
func choose(list string) ([]string, error) {
	var known, eight []string
	for _, p := range programs() {
		known = append(known, p.name)
		if p.apache {
			eight = append(eight, p.name)
		}
	}
	var asked []string
	for x := range strings.SplitSeq(list, ",") {
		switch x = strings.TrimSpace(x); {
		case x == "":
		case x == "all":
			asked = append(asked, known...)
		case x == "apache":
			asked = append(asked, eight...)
		case !slices.Contains(known, x):
			return nil, &UsageError{fmt.Sprintf("-subjects: %q is unknown; choose from all, apache, %s", x, strings.Join(known, ", "))}
		default:
			asked = append(asked, x)
		}
	}
	if len(asked) == 0 {
		return nil, &UsageError{"-subjects names none; leave it out for all"}
	}
	return slices.DeleteFunc(known, func(x string) bool { return !slices.Contains(asked, x) }), nil
}

func (o options) wants(part string) bool { return slices.Contains(o.parts, part) }

// some are those of the subjects that a condition holds for.
func (o options) some(holds func(program) bool) []string {
	return slices.DeleteFunc(slices.Clone(o.subjects), func(name string) bool { return !holds(named([]string{name})[0]) })
}
