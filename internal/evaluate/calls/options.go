package calls

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/subject"
)

// The parts of the evaluation, in the order in which they run.
const (
	partDetection  = "detection"
	partAlarms     = "alarms"
	partThroughput = "throughput"
)

func parts() []string { return []string{partDetection, partAlarms, partThroughput} }

// options are the flags.
type options struct {
	parts    []string
	subjects []string
	mutants  int
	sample   int // survivors for each subject; 0 is all
	seed     uint64
	budget   time.Duration // for one comparison
	programs int           // sequences of calls in one comparison
	variants int           // negation sets in one comparison
	seeds    int           // comparisons of each subject with itself
	calling  time.Duration // how long calls are made to measure their rate
	missed   bool          // list the survivors that nothing shows
}

// A UsageError says which flag is wrong and what it may be.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// usual are the subjects that are taken where none are named: those with
// functions worth calling, and suites that do not take minutes.
func usual() []string {
	return []string{
		"text/tabwriter", "encoding/csv", "encoding/hex", "encoding/ascii85", "path", "html",
		"container/list", "container/ring", "container/heap", "text/scanner", "compress/lzw", "regexp/syntax",
		"index/suffixarray", "mime/quotedprintable", "go/build/constraint", "net/mail",
	}
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("evaluate calls", flag.ContinueOnError)
	fs.SetOutput(out)
	asked := map[string]*bool{}
	for _, p := range parts() {
		asked[p] = fs.Bool(p, false, "run this part and others so named only (default all)")
	}
	subjects := fs.String("subjects", strings.Join(usual(), ","), "subjects, separated by commas")
	fs.IntVar(&o.mutants, "mutants", 200, "most mutants for each subject")
	fs.IntVar(&o.sample, "sample", 20, "most survivors compared for each subject, spread evenly over the code; 0 is all")
	fs.Uint64Var(&o.seed, "seed", 1, "of the choice of mutants and sample, and of the comparisons")
	fs.DurationVar(&o.budget, "budget", 30*time.Second, "of one comparison, building included; the counts below are meant to end it before")
	fs.IntVar(&o.programs, "programs", 20_000, "most sequences of calls in one comparison; 0 is no limit")
	fs.IntVar(&o.variants, "variants", 500, "most negation sets run in one comparison; 0 is no limit")
	fs.IntVar(&o.seeds, "seeds", 10, "comparisons of each subject with itself")
	fs.DurationVar(&o.calling, "calling", 5*time.Second, "how long calls are made on each subject to measure their rate")
	fs.BoolVar(&o.missed, "missed", false, "list the survivors that nothing shows, to find out why")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, &UsageError{err.Error()}
	}
	if fs.NArg() > 0 {
		return o, &UsageError{fmt.Sprintf("unexpected argument %q; all settings are flags", fs.Arg(0))}
	}
	if o.mutants < 1 || o.seeds < 1 || o.sample < 0 || o.programs < 0 || o.variants < 0 || o.budget <= 0 || o.calling <= 0 {
		return o, &UsageError{"-mutants and -seeds must be at least 1, -sample, -programs and -variants at least 0, -budget and -calling more than 0"}
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

// choose splits a list of subjects and keeps the order of those known.
func choose(list string) ([]string, error) {
	var known []string
	for _, s := range subject.List() {
		known = append(known, s.Name)
	}
	var asked []string
	for x := range strings.SplitSeq(list, ",") {
		if x = strings.TrimSpace(x); x == "" {
			continue
		}
		if !slices.Contains(known, x) {
			return nil, &UsageError{fmt.Sprintf("-subjects: %q is unknown; choose from %s", x, strings.Join(known, ", "))}
		}
		asked = append(asked, x)
	}
	if len(asked) == 0 {
		return nil, &UsageError{"-subjects names none; leave it out for the usual ones"}
	}
	return slices.DeleteFunc(known, func(x string) bool { return !slices.Contains(asked, x) }), nil
}

func (o options) wants(part string) bool { return slices.Contains(o.parts, part) }
