package ison

import (
	"io"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/options"
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

// settings are what the flags say.
type settings struct {
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

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("ison", out)
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
	fs.BoolVar(&o.both, "both", true, "in Table 3 also invert conditions of which a test takes both branches, after the unique list")
	fs.BoolVar(&o.survivors, "survivors", false, "list the mutants that stay undetected, to find out why")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.mutants < 1 || o.depth < 0 || o.prunePer < 1 {
		return o, options.Wrong("-mutants and -pruning-mutants must be at least 1, -depth at least 0")
	}
	var err error
	if o.parts, err = options.Choose("tables", *tables, parts()); err != nil {
		return o, err
	}
	known := subject.Names()
	if o.subjects, err = options.Choose("subjects", *subjects, known); err != nil {
		return o, err
	}
	if len(o.subjects) == 0 {
		o.subjects = known
	}
	if o.throughOn, err = options.Choose("throughput-subjects", *through, known); err != nil {
		return o, err
	}
	o.pruneOn, err = options.Choose("pruning-subjects", *prune, known)
	return o, err
}
