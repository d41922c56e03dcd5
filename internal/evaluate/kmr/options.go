package kmr

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

// The parts of the evaluation, in the order in which they run.
const (
	partSubjects = "programs"
	partK        = "k"
	partLevels   = "levels"
)

func parts() []string { return []string{partSubjects, partK, partLevels} }

// options are the flags.
type options struct {
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

// A UsageError says which flag is wrong and what it may be.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

func known() []string {
	var out []string
	for _, s := range properties.Subjects() {
		out = append(out, s.Describe().Name)
	}
	return out
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("evaluate kmr", flag.ContinueOnError)
	fs.SetOutput(out)
	asked := map[string]*bool{}
	for _, p := range parts() {
		asked[p] = fs.Bool(p, false, "run this part and others so named only (default all)")
	}
	subjects := fs.String("subjects", strings.Join(known(), ","), "subjects, separated by commas")
	fs.IntVar(&o.mutants, "mutants", 10_000, "most mutants for each subject; the default is more than any has")
	fs.IntVar(&o.suites, "suites", 100, "test suites for each criterion and k, and for each criterion and level of adequacy")
	fs.IntVar(&o.draws, "draws", 200_000, "random inputs from which the pool is taken, and as many on which mutants that survive it are compared")
	fs.IntVar(&o.perFrame, "per-frame", 10, "source inputs of each complete test frame")
	fs.IntVar(&o.plain, "plain", 100, "random source inputs besides")
	fs.Uint64Var(&o.seed, "seed", 1, "of inputs and test suites, less than 2^31")
	fs.BoolVar(&o.list, "list", false, "list the mutants that nothing distinguishes from the original, that hang, and that no group detects, to find out why")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, &UsageError{err.Error()}
	}
	if fs.NArg() > 0 {
		return o, &UsageError{fmt.Sprintf("unexpected argument %q; all settings are flags", fs.Arg(0))}
	}
	if o.mutants < 1 || o.suites < 1 || o.draws < 1 || o.perFrame < 1 || o.plain < 0 || o.draws > math.MaxInt32 || o.seed > math.MaxInt32 {
		return o, &UsageError{"-mutants, -suites, -draws and -per-frame must be at least 1, -plain at least 0, -draws and -seed less than 2^31"}
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

// choose splits a list of subjects and keeps the evaluation's order.
func choose(list string) ([]string, error) {
	all := known()
	var asked []string
	for x := range strings.SplitSeq(list, ",") {
		if x = strings.TrimSpace(x); x == "" {
			continue
		}
		if !slices.Contains(all, x) {
			return nil, &UsageError{fmt.Sprintf("-subjects: %q is unknown; choose from %s", x, strings.Join(all, ", "))}
		}
		asked = append(asked, x)
	}
	if len(asked) == 0 {
		return nil, &UsageError{"-subjects names none; leave it out for all"}
	}
	return slices.DeleteFunc(all, func(x string) bool { return !slices.Contains(asked, x) }), nil
}

func (o options) wants(part string) bool { return slices.Contains(o.parts, part) }
