package outcome

import (
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/probe"
)

// Result is what one iteration of one test did.
type Result struct {
	Outcome event.Outcome
	Skipped bool  // Outcome is Pass, and the test called Skip
	Fuel    int64 // work done: conditions and arms evaluated
	// Covered holds branches: 2*i+1 for condition i taken true, 2*i for false,
	// and 2*conditions+j for arm j. Entered holds changed functions.
	Covered, Entered Bits
	Sites            []SiteDigest // in the order in which they were first passed
	Message          string       // panic value, or last words of a process that died
	Stack            string       // in detail mode
	Texts            []Text       // in detail mode, of the sites asked for
	Output           string       // what the process printed, tail; only if it died
	Extra            []byte       // what the harness has to say, see Command.Watch
	// Key and Hook tell which call the harness was making when the process died
	// or hung; Key is 0 if it was making none.
	Key  uint64
	Hook int
	// Verdict is how the run time words the end of a process that died, where the code alone is
	// to blame for it, whatever the machine does; "" for other ends.
	Verdict string
}

// SiteDigest sums up what one observation site saw.
type SiteDigest struct {
	Site            int
	Count           uint32
	Visible, Hidden uint64
}

// Truncated reports whether not all observations asked for were rendered.
func (r Result) Truncated() bool {
	size := 0
	for _, t := range r.Texts {
		size += len(t.Value) + len(t.Given)
	}
	return len(r.Texts) >= probe.MaxTexts || size >= probe.MaxTextBytes
}

// Text is one rendered observation.
type Text struct {
	Site     int
	Category byte // e: an error, n: nil, z: empty, v: any other value
	Value    string
	Given    string // arguments of the observed call that are told, probe.GivenSeparator between them
}
