//go:build go1.21

package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Modes of an order; see execute.Command.
const (
	ModeRecord  = "record"
	ModeAmplify = "amplify"
	ModeExplain = "explain"
)

// A Call is one call of our own on copies of what a hooked function was given.
// Both versions make the same call where Hook and Key are the same.
type Call struct {
	Hook       int
	Key        uint64 // digest of function and input, as mutated
	Base       uint64 // digest of function and input, as the test gave it
	Mutation   int    // 0 for none, Again for the same call made once more
	Ending     probe.Ending
	Components []Component // results, then what the call may have changed; none unless it returned
}

// Again, in the place of a mutation, says that the call was made twice on one copy of what the test gave, and
// that it is the second one.
const Again = 1<<16 - 1

// Ineligible counts entries of a function that could not be amplified.
type Ineligible struct {
	Hook   int
	Reason string
	Count  int
}

// MuchFuel is what calls get where one version did not come to an end: only if
// it still does not is that a difference. A version that needs a few times the
// work of the other is not wrong.
const MuchFuel = 8_000_000

// Explained tells one call in words.
type Explained struct {
	Hook     int
	Key      uint64
	Mutation int
	Ending   probe.Ending
	Message  string // of a panic
	// Input has a text for each argument, the receiver first, Given what it is made of.
	Input []ValueAnswer
	Given [][]Leaf
	// Held says that a mutex in the input is locked: whoever waits for it waits for a caller
	// that is not there.
	Held bool
	// Args are the arguments as literals, with holes for what no literal can say: see
	// Literals.
	Args []byte
	// Output has a text for each component, Leaves what it is made of.
	Output []ValueAnswer
	Leaves [][]Leaf
	// Entered are the changed functions that the call entered.
	Entered []int
	Drew    bool // as in Answer
}

// Literals decodes Args; whole says that there is no hole in them.
func (e Explained) Literals() (args []Lit, whole bool, err error) {
	r := reader{b: e.Args}
	for k := r.count(MaxArgs); k > 0 && !r.bad; k-- {
		args = append(args, r.lit(0))
	}
	if r.bad || len(r.b) > 0 {
		return nil, false, errCalls
	}
	whole = true
	for i := range args {
		Sequence{Step{Args: args[i : i+1]}}.Walk(func(_ int, l *Lit) { whole = whole && l.Form != Hole })
	}
	return args, whole, nil
}

// HookKey is the key to ban for a function that is not to be called at all.
func HookKey(hook int) uint64 { return probe.Mix(0x686f6f6b, uint64(hook)) }

// EncodeCalls writes calls, and what could not be called, for the parent.
func EncodeCalls(calls []Call, left []Ineligible) []byte {
	b := binary.AppendUvarint(nil, uint64(len(calls)))
	for _, c := range calls {
		b = binary.AppendUvarint(b, uint64(c.Hook))
		b = binary.LittleEndian.AppendUint64(b, c.Key)
		b = binary.LittleEndian.AppendUint64(b, c.Base)
		b = binary.AppendUvarint(b, uint64(c.Mutation))
		b = append(b, byte(c.Ending))
		b = appendComponents(b, c.Components)
	}
	b = binary.AppendUvarint(b, uint64(len(left)))
	for _, x := range left {
		b = binary.AppendUvarint(b, uint64(x.Hook))
		b = binary.AppendUvarint(b, uint64(len(x.Reason)))
		b = append(b, x.Reason...)
		b = binary.AppendUvarint(b, uint64(x.Count))
	}
	return b
}

var errCalls = errors.New("damaged calls from the test process")

// DecodeCalls reads what EncodeCalls wrote.
func DecodeCalls(b []byte) ([]Call, []Ineligible, error) {
	r := reader{b: b}
	var calls []Call
	for n := r.count(maxCalls); n > 0 && !r.bad; n-- {
		c := Call{Hook: r.count(maxHook)}
		c.Key, c.Base = r.u64(), r.u64()
		c.Mutation, c.Ending = r.count(1<<16), probe.Ending(r.byte())
		c.Components = r.components()
		calls = append(calls, c)
	}
	var left []Ineligible
	for n := r.count(maxCalls); n > 0 && !r.bad; n-- {
		left = append(left, Ineligible{r.count(maxHook), r.str(), r.count(1 << 30)})
	}
	if r.bad || len(r.b) > 0 {
		return nil, nil, errCalls
	}
	return calls, left, nil
}

// DecodeExplained reads the answer to an order to explain.
func DecodeExplained(b []byte) ([]Explained, error) {
	var out []Explained
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, errCalls
	}
	return out, nil
}

// A Record is what a test gave to a hooked function, as far as it can be
// written down. A receiver is Args[0].
type Record struct {
	Hook int
	Args []Lit
	// Object numbers, from 1, the first thing given that is one of its own, behind a pointer, and not
	// written down: the same number is the same thing. It is 0 where nothing is.
	Object int
	// Op is the operation that is the very function, with its type arguments; 0 where none is.
	Op Op
}

// Abroad is the Hook of a record of a function of another module, which has none: Op alone tells which it is.
const Abroad = maxHook - 1

// RecordedPath is the number in the literal of a path (SpecialPath) that a record has: the place of the file in it, from 1, 0 for
// the folder, and which folder of those in the records it is in, from 1.
func RecordedPath(file, folder int) int64 { return int64(folder)<<pathFiles | int64(file) }

// PathRecorded reads what RecordedPath gives. The folder is 0 for a path that is of no record.
func PathRecorded(n int64) (file, folder int64) { return n & (1<<pathFiles - 1), n >> pathFiles }

// pathFiles is how many bits there are for the place of a file.
const pathFiles = 8

// EncodeRecords writes records for the parent.
func EncodeRecords(records []Record) []byte {
	b := binary.AppendUvarint(nil, uint64(len(records)))
	for _, r := range records {
		b = binary.AppendUvarint(b, uint64(r.Hook))
		b = binary.AppendUvarint(b, uint64(r.Object))
		b = binary.AppendUvarint(b, uint64(r.Op))
		b = AppendArgs(b, r.Args)
	}
	return b
}

// DecodeRecords reads what EncodeRecords wrote.
func DecodeRecords(b []byte) ([]Record, error) {
	r := reader{b: b}
	var out []Record
	for n := r.count(maxRecords); n > 0 && !r.bad; n-- {
		rec := Record{Hook: r.count(maxHook), Object: r.count(maxRecords), Op: Op(r.count(maxHook))}
		for k := r.count(MaxArgs); k > 0 && !r.bad; k-- {
			rec.Args = append(rec.Args, r.lit(0))
		}
		out = append(out, rec)
	}
	if r.bad || len(r.b) > 0 {
		return nil, errRecords
	}
	return out, nil
}

var errRecords = errors.New("damaged records from the test process")

// Limits of what is decoded.
const (
	maxRecords = 1 << 16
	maxHook    = 1 << 20
	maxCalls   = 1 << 20
)

// AppendArgs appends arguments to b, as Explained.Literals reads them.
func AppendArgs(b []byte, args []Lit) []byte {
	b = binary.AppendUvarint(b, uint64(len(args)))
	for _, a := range args {
		b = a.Encode(b)
	}
	return b
}
