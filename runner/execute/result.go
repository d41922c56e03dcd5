package execute

import (
	"encoding/binary"
	"errors"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

var errRecord = errors.New("damaged record from the test process")

// decode reads one record as package probe sends it, without its length.
func decode(b []byte) (seq uint32, r outcome.Result, err error) {
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
	r.Sites = make([]outcome.SiteDigest, n)
	for i := range r.Sites {
		r.Sites[i] = outcome.SiteDigest{Site: int(d.u32()), Count: d.u32(), Visible: d.u64(), Hidden: d.u64()}
	}
	r.Message, r.Stack = d.str(), d.str()
	n = int(d.u32())
	if n > len(d.b)/13 {
		return 0, r, errRecord
	}
	for range n {
		r.Texts = append(r.Texts, outcome.Text{Site: int(d.u32()), Category: d.u8(), Value: d.str(), Given: d.str()})
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

func (d *decoder) bits() outcome.Bits {
	n := int(d.u32())
	return append(outcome.Bits(nil), d.take((n+7)/8)...)
}

func (d *decoder) str() string {
	n := int(d.u32())
	if n > len(d.b) {
		d.short = true
		return ""
	}
	return string(d.take(n))
}
