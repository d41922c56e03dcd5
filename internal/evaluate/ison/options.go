package ison

import (
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
	partBranches     = "2"
	partFaults       = "3"
	partThroughput   = "throughput"
	partOverhead     = "overhead"
	partPruning      = "pruning"
	partPreservation = "preservation"
)

func parts() []string {
	return []string{partPreservation, partBranches, partFaults, partPruning, partThroughput, partOverhead}
}

// options are the flags.
type options struct {
	parts      []string
	subjects   []string
	mutants    int
	seed       uint64
	depth      int           // of the second column of Table 2; 0 is any
	perMutant  time.Duration // most time for the variants of one mutant
	perCompare time.Duration // most time for one whole comparison
	throughOn  []string      // subjects of the throughput
	pruneOn    []string      // subjects of the pruning
	prunePer   int           // mutants for each of them
	both       bool          // a further list in Table 3, see the package comment
	survivors  bool          // list mutants that stay undetected
}

// A UsageError says which flag is wrong and what it may be.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

func parse(args []string, out io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("evaluate ison", flag.ContinueOnError)
	fs.SetOutput(out)
	tables := fs.String("tables", strings.Join(parts(), ","), "parts to run, separated by commas")
	subjects := fs.String("subjects", "", "subjects, separated by commas (default all)")
	fs.IntVar(&o.mutants, "mutants", 200, "most mutants for each subject")
	fs.Uint64Var(&o.seed, "seed", 1, "of the choice of mutants and samples")
	fs.IntVar(&o.depth, "depth", 0, "of Table 2's second column; 0 is any depth")
	fs.DurationVar(&o.perMutant, "per-mutant", 12*time.Second, "most time for the variants of one mutant; what is cut is printed")
	fs.DurationVar(&o.perCompare, "per-comparison", 40*time.Second, "most time for one whole comparison (Table 2, pruning); what is cut is printed")
	through := fs.String("throughput-subjects", "text/tabwriter,html,text/template/parse", "subjects of the throughput")
	prune := fs.String("pruning-subjects", "encoding/csv,text/tabwriter,html", "subjects of the pruning")
	fs.IntVar(&o.prunePer, "pruning-mutants", 2, "mutants for each subject of the pruning")
	fs.BoolVar(&o.both, "both", true, "in Table 3 also negate conditions of which a test takes both branches, after the unique list")
	fs.BoolVar(&o.survivors, "survivors", false, "list the mutants that stay undetected, to find out why")
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return o, err
		}
		return o, &UsageError{err.Error()}
	}
	if fs.NArg() > 0 {
		return o, &UsageError{fmt.Sprintf("unexpected argument %q; all settings are flags", fs.Arg(0))}
	}
	if o.mutants < 1 || o.depth < 0 || o.prunePer < 1 {
		return o, &UsageError{"-mutants and -pruning-mutants must be at least 1, -depth at least 0"}
	}
	var err error
	if o.parts, err = choose("-tables", *tables, parts()); err != nil {
		return o, err
	}
	var known []string
	for _, s := range subject.List() {
		known = append(known, s.Name)
	}
	if o.subjects, err = choose("-subjects", *subjects, known); err != nil {
		return o, err
	}
	if len(o.subjects) == 0 {
		o.subjects = known
	}
	if o.throughOn, err = choose("-throughput-subjects", *through, known); err != nil {
		return o, err
	}
	o.pruneOn, err = choose("-pruning-subjects", *prune, known)
	return o, err
}

// choose splits a list and keeps the order of what is known.
func choose(name, list string, known []string) ([]string, error) {
	asked := map[string]bool{}
	for _, x := range strings.Split(list, ",") {
		x = strings.TrimSpace(x)
		if x == "" {
			continue
		}
		if !slices.Contains(known, x) {
			return nil, &UsageError{fmt.Sprintf("%s: %q is unknown; choose from %s", name, x, strings.Join(known, ", "))}
		}
		asked[x] = true
	}
	var out []string
	for _, x := range known {
		if asked[x] {
			out = append(out, x)
		}
	}
	return out, nil
}

func (o options) wants(part string) bool { return slices.Contains(o.parts, part) }
