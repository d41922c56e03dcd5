package padmt

import (
	"io"
	"math"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/options"
)

// The parts of the evaluation, in the order in which they run.
const (
	partPrograms = "programs"
	partScore    = "score"
	partAPFD     = "apfd"
	partCurve    = "curve"
	partCost     = "cost"
)

func parts() []string { return []string{partPrograms, partScore, partAPFD, partCurve, partCost} }

// settings are what the flags say.
type settings struct {
	parts    []string
	subjects []string
	mutants  int
	pool     int
	draws    int
	least    int // source inputs of a suite
	most     int
	seeds    int
	seed     uint64
	list     bool // name the mutants that are left out or not detected
}

func parse(args []string, out io.Writer) (settings, error) {
	var o settings
	fs := options.New("padmt", out)
	fs.AddParts(parts())
	subjects := fs.String("subjects", strings.Join(known(), ","), "subjects, separated by commas")
	fs.IntVar(&o.mutants, "mutants", 10_000, "most mutants for each subject; the default is more than any has")
	fs.IntVar(&o.pool, "pool", 1500, "random source inputs from which all suites are taken")
	fs.IntVar(&o.draws, "draws", 200_000, "random inputs on which mutants that survive the pool are compared")
	fs.IntVar(&o.least, "least", 50, "least source inputs of a suite, where there are fewer paths")
	fs.IntVar(&o.most, "most", 144, "most source inputs of a suite, where there are more paths; the default is the paper's largest")
	fs.IntVar(&o.seeds, "seeds", 30, "suites of each technique")
	fs.Uint64Var(&o.seed, "seed", 1, "of inputs and suites, less than 2^31")
	fs.BoolVar(&o.list, "list", false, "list the mutants that nothing distinguishes from the original, that hang, and that no group detects, to find out why")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if o.mutants < 1 || o.pool < 1 || o.draws < 1 || o.least < 1 || o.seeds < 1 || o.least > o.most || o.most > o.pool || o.draws > math.MaxInt32 || o.pool > math.MaxInt32 || o.seed > math.MaxInt32 {
		return o, options.Wrong("-mutants, -pool, -draws, -least and -seeds must be at least 1, -least at most -most, -most at most -pool, -draws, -pool and -seed less than 2^31")
	}
	o.parts = fs.Parts()
	var err error
	o.subjects, err = options.ChooseSome("subjects", *subjects, known())
	return o, err
}
