//go:build go1.21

package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Encode appends a trace to b: flags, then the bytes that decide whether two
// versions agree, with their length.
func (t *Trace) Encode(b []byte) []byte {
	flags := byte(0)
	if t.Invalid {
		flags |= 1
	}
	if t.Entered {
		flags |= 2
	}
	if t.Fresh > 0 {
		flags |= 4
	}
	if t.Slow {
		flags |= 8
	}
	if t.Full {
		flags |= 16
	}
	b = append(b, flags)
	b = binary.LittleEndian.AppendUint64(b, t.Branch)
	b = binary.LittleEndian.AppendUint32(b, t.Hidden)
	b = binary.LittleEndian.AppendUint32(b, t.Ran)
	b = binary.LittleEndian.AppendUint32(b, t.Way)
	b = binary.LittleEndian.AppendUint32(b, t.Took)
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendUvarint(b, uint64(len(t.Steps)))
	for _, s := range t.Steps {
		ending := byte(s.Ending)
		if s.Failed {
			ending |= failed
		}
		b = append(b, ending)
		b = appendComponents(b, s.Components)
	}
	b = appendComponents(b, t.After)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// failed is set in the byte of an ending where the call gave an error.
const failed = 0x80

func appendComponents(b []byte, cs []Component) []byte {
	b = binary.AppendUvarint(b, uint64(len(cs)))
	for _, c := range cs {
		b = binary.LittleEndian.AppendUint32(b, c.Visible)
		b = binary.LittleEndian.AppendUint32(b, c.Hidden)
	}
	return b
}

// AppendExecuted appends a sequence, as it is encoded, and what it did.
func AppendExecuted(b, sequence []byte, t *Trace) []byte {
	b = binary.AppendUvarint(b, uint64(len(sequence)))
	b = append(b, sequence...)
	return t.Encode(b)
}

// Executed is one sequence of a batch with what it did. Visible and hidden
// parts are compared apart: see Trace.
type Executed struct {
	Sequence []byte
	Entered  bool
	Fresh    bool
	Invalid  bool
	Slow     bool // see Trace
	Full     bool // see Trace
	trace    []byte
	Branch   uint64
	Hidden   uint32
	Ran      uint32 // see Trace
	Way      uint32 // see Trace
	Took     uint32 // see Trace
}

// SameAs reports whether all components agree, hidden ones included.
func (e Executed) SameAs(o Executed) bool {
	return e.Invalid == o.Invalid && bytes.Equal(e.trace, o.trace)
}

// ResultName names result i of a call; failing says which results are errors.
func ResultName(i int, failing []bool) string {
	switch n := len(failing); {
	case failing[i]:
		return "error"
	case n == 1 || n == 2 && failing[1]:
		return "result"
	}
	return fmt.Sprintf("result %d", i+1)
}

// Trace decodes what was done.
func (e Executed) Trace() Trace {
	r := reader{b: e.trace}
	t := Trace{Invalid: e.Invalid, Entered: e.Entered, Hidden: e.Hidden, Branch: e.Branch, Ran: e.Ran, Way: e.Way, Took: e.Took, Slow: e.Slow, Full: e.Full}
	for n := r.count(MaxSteps); n > 0 && !r.bad; n-- {
		ending := r.byte()
		s := StepTrace{Ending: probe.Ending(ending &^ failed), Failed: ending&failed != 0}
		s.Components = r.components()
		t.Steps = append(t.Steps, s)
	}
	t.After = r.components()
	return t
}

func (r *reader) components() []Component {
	n := r.count(len(r.b) / 8)
	out := make([]Component, 0, n)
	for i := 0; i < n && !r.bad; i++ {
		out = append(out, Component{r.u32(), r.u32()})
	}
	return out
}

// DecodeBatch reads the payload of a FrameTraces.
func DecodeBatch(b []byte) ([]Executed, error) {
	r := reader{b: b}
	var out []Executed
	for len(r.b) > 0 {
		var e Executed
		e.Sequence = []byte(r.str())
		flags := r.byte()
		e.Invalid, e.Entered, e.Fresh, e.Slow, e.Full = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0, flags&16 != 0
		e.Branch, e.Hidden, e.Ran, e.Way, e.Took = r.u64(), r.u32(), r.u32(), r.u32(), r.u32()
		n := r.u32()
		if r.bad || uint64(n) > uint64(len(r.b)) {
			return nil, errSequence
		}
		e.trace, r.b = r.b[:n:n], r.b[n:]
		out = append(out, e)
	}
	return out, nil
}

// A Trace is what one sequence did. Components are compared one by one.
type Trace struct {
	Steps []StepTrace
	// After are the digests of values that calls may have changed, taken when
	// all steps are through: results by step.
	After   []Component
	Hidden  uint32 // digest of all hidden digests
	Entered bool   // executed something of Δ
	Ran     uint32 // digest of which members of Δ that were
	Way     uint32 // digest of the branches of Δ's functions that were taken, see Setup.Near
	Took    uint32 // microseconds of processor time, 0 where nobody asks for it
	Branch  uint64 // digest of the branches taken
	Fresh   int    // branches never taken before in this process
	Invalid bool   // could not be built: says nothing
	Slow    bool   // took so long, or so much memory, that a process that replaces this one should not run it
	Full    bool   // the process holds so much that it should be replaced
}

// StepTrace is what one step did.
type StepTrace struct {
	Ending     probe.Ending
	Message    string
	Failed     bool        // a result is an error that is not nil
	NilArgs    []int       // arguments that are nil, or lists with nil in them: of pointers, functions, channels and interfaces
	Components []Component // results, then arguments that the call may have changed
}

// Component is a part of what can be seen of a step.
type Component struct {
	Visible, Hidden uint32
}

// FailedTest begins the message of a step that a function of a test file ended in that it has its test fail at once. It is told as a
// panic, and what the test says follows.
const FailedTest = "t.FailNow(): "
