package calls

import (
	"io"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/internal/evaluate/subject"
)

// The parts of the evaluation, in the order in which they run.
const (
	partDetection  = "detection"
	partAlarms     = "alarms"
	partThroughput = "throughput"
)

func parts() []string { return []string{partDetection, partAlarms, partThroughput} }

// settings are what the flags say.
type settings struct {
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

// usual are the subjects that are taken where none are named: those with
// functions worth calling, and suites that do not take minutes.
func usual() []string {
	return []string{
		"text/tabwriter", "encoding/csv", "encoding/hex", "encoding/ascii85", "path", "html",
		"container/list", "container/ring", "container/heap", "text/scanner", "compress/lzw", "regexp/syntax",
		"index/suffixarray", "mime/quotedprintable", "go/build/constraint", "net/mail",
	}
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("calls", out)
	fs.AddParts(parts())
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
		return o, err
	}
	if o.mutants < 1 || o.seeds < 1 || o.sample < 0 || o.programs < 0 || o.variants < 0 || o.budget <= 0 || o.calling <= 0 {
		return o, options.Wrong("-mutants and -seeds must be at least 1, -sample, -programs and -variants at least 0, -budget and -calling more than 0")
	}
	o.parts = fs.Parts()
	var err error
	o.subjects, err = options.ChooseSome("subjects", *subjects, subject.Names())
	return o, err
}
