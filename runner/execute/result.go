package execute

import (
	"encoding/binary"
	"errors"

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
		size += len(t.Value)
	}
	return len(r.Texts) >= probe.MaxTexts || size >= probe.MaxTextBytes
}

// Text is one rendered observation.
type Text struct {
	Site     int
	Category byte // e: an error, n: nil, z: empty, v: any other value
	Value    string
}

var errRecord = errors.New("damaged record from the test process")

// decode reads one record as package probe sends it, without its length.
func decode(b []byte) (seq uint32, r Result, err error) {
	d := decoder{b: b}
	seq = d.u32()
	switch d.u8() {
	case 0:
		r.Outcome = event.Pass
	case 1:
		r.Outcome = event.Fail
	case 2:
		r.Outcome = event.Panic
	case 3:
		r.Outcome = event.Exhausted
	case 4:
		r.Outcome, r.Skipped = event.Pass, true
	default:
		return 0, r, errRecord
	}
	r.Fuel = int64(d.u64())
	r.Covered, r.Entered = d.bits(), d.bits()
	n := int(d.u32())
	if n > len(d.b)/24 {
		return 0, r, errRecord
	}
	r.Sites = make([]SiteDigest, n)
	for i := range r.Sites {
		r.Sites[i] = SiteDigest{int(d.u32()), d.u32(), d.u64(), d.u64()}
	}
	r.Message, r.Stack = d.str(), d.str()
	n = int(d.u32())
	if n > len(d.b)/9 {
		return 0, r, errRecord
	}
	for range n {
		r.Texts = append(r.Texts, Text{int(d.u32()), d.u8(), d.str()})
	}
	n = int(d.u32())
	if n > len(d.b) {
		return 0, r, errRecord
	}
	if n > 0 {
		r.Extra = d.take(n)
	}
	if d.short || len(d.b) > 0 {
		return 0, r, errRecord
	}
	return seq, r, nil
}

// decoder takes fields off the front of b; past its end it gives zeros and
// remembers.
type decoder struct {
	b     []byte
	short bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.short = true
		return make([]byte, min(max(n, 0), 8))
	}
	x := d.b[:n]
	d.b = d.b[n:]
	return x
}

func (d *decoder) u8() byte    { return d.take(1)[0] }
func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }

func (d *decoder) bits() Bits {
	n := int(d.u32())
	return append(Bits(nil), d.take((n+7)/8)...)
}

func (d *decoder) str() string {
	n := int(d.u32())
	if n > len(d.b) {
		d.short = true
		return ""
	}
	return string(d.take(n))
}
