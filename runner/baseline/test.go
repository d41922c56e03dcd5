package baseline

import (
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// MaxFuel is no limit of the work of an execution.
const MaxFuel = int64(1) << 60

// slowTest is in seconds; the watchdog's patience does not grow beyond it.
const slowTest = 2.0

// knownStartup is what the first iteration of a process may take more once the test has been seen to
// run: a variant that hangs in it costs that much.
const knownStartup = 10 * time.Second

// Test is a test with what the baseline found out about it.
type Test struct {
	*build.Test
	State
}

// State is what the baseline found out about a test.
type State struct {
	Varies bool // its outcome does, by itself
	// Again says why it counts as one whose outcome varies although it was the same each time: see failsAgain.
	Again    string
	Usable   bool // stable on both versions, with the same outcome: negation may go on
	Reaches  bool // executes something of Δ on base or on head
	Fuel     int64
	Seconds  float64      // of one iteration, the slower version's
	Covered  outcome.Bits // branches of pairs, on base or on head
	Unstable map[int]bool // sites that vary by themselves
	Known    map[int]bool // sites that differ already with nothing negated
	Outcome  version.Both[event.Outcome]
	Recorded []byte // calls that the test made, see package harness
}

// Masked reports whether a site is left out of comparisons of variants.
func (s *State) Masked(site int) bool { return s.Unstable[site] || s.Known[site] }

// TakesBoth reports whether the test takes the branch of a pair as well as its
// sibling, on base or on head.
func (s *State) TakesBoth(b outcome.Branch) bool {
	return s.Covered.Has(int(b)) && s.Covered.Has(int(b.Sibling()))
}

// Session starts the test on a version. A variant may take much longer than the
// test as it is, and is no evidence if it takes longer than that.
func (t *Test) Session(lab *execute.Lab, side version.Side) *execute.Session {
	s := lab.Session(t.Target(side))
	s.Limit = 2*time.Second + time.Duration(20*min(t.Seconds, slowTest)*float64(time.Second))
	s.Startup = min(s.Startup, knownStartup)
	return s
}
