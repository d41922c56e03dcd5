package contrast

import (
	"go/types"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// facts are the plain facts of a call's arguments. Names are those of the parameters, the
// receiver first; types likewise.
func facts(args []wire.Lit, names []string, of []types.Type) map[subject]fact {
	out := map[subject]fact{}
	for i, a := range args {
		if i >= len(names) {
			break
		}
		name := func(k kind, code string) subject { return subject{code, i, k} }
		if n, ok := numberOf(a, of[i]); ok {
			out[name(aNumber, names[i])] = fact{number: n}
		}
		if n, ok := lengthOf(a, of[i]); ok {
			out[name(aLength, "len("+names[i]+")")] = fact{number: float64(n)}
		}
		if s, ok := textOf(a, of[i]); ok {
			out[name(aText, names[i])] = fact{text: s}
		}
		if b, ok := truthOf(a, of[i]); ok {
			out[name(aTruth, names[i])] = fact{truth: b}
		}
		if canBeNil(of[i]) && a.Form != wire.Ref && a.Form != wire.Hole {
			out[name(nilness, names[i])] = fact{truth: a.Form == wire.Zero}
		}
		for j, b := range args[:i] {
			if types.Identical(of[i], of[j]) && a.Form != wire.Hole && b.Form != wire.Hole {
				out[subject{names[j] + ", " + names[i], j, equality}] = fact{truth: string(a.Encode(nil)) == string(b.Encode(nil))}
			}
		}
	}
	return out
}

func basic(t types.Type) (*types.Basic, bool) {
	b, ok := t.Underlying().(*types.Basic)
	return b, ok
}

func numberOf(a wire.Lit, t types.Type) (float64, bool) {
	b, ok := basic(t)
	if !ok || b.Info()&(types.IsInteger|types.IsFloat) == 0 {
		return 0, false
	}
	switch a.Form {
	case wire.Zero:
		return 0, true
	case wire.Int, wire.Float:
		return a.Float64(), true
	case wire.Uint:
		return float64(uint64(a.N)), true
	}
	return 0, false
}

func textOf(a wire.Lit, t types.Type) (string, bool) {
	b, ok := basic(t)
	if ok && b.Info()&types.IsString != 0 && (a.Form == wire.Text || a.Form == wire.Zero) {
		return a.S, true
	}
	return "", false
}

func truthOf(a wire.Lit, t types.Type) (value, ok bool) {
	b, is := basic(t)
	if !is || b.Info()&types.IsBoolean == 0 || a.Form != wire.Bool && a.Form != wire.Zero {
		return false, false
	}
	return a.N != 0, true
}

// lengthOf is that of a text, in bytes, or of a slice.
func lengthOf(a wire.Lit, t types.Type) (int, bool) {
	if s, ok := textOf(a, t); ok {
		return len(s), true
	}
	if _, ok := t.Underlying().(*types.Slice); !ok {
		return 0, false
	}
	switch a.Form {
	case wire.Zero:
		return 0, true
	case wire.Text:
		return len(a.S), true
	case wire.Seq:
		return len(a.E), true
	}
	return 0, false
}

func canBeNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// givesUnknown reports whether an argument is a number, text or truth value that an earlier
// call made. Nothing can be said of it, so that it would speak against what is true of all others.
func givesUnknown(args []wire.Lit, of []types.Type) bool {
	for i, a := range args {
		if i < len(of) && a.Form == wire.Ref {
			if _, basic := of[i].Underlying().(*types.Basic); basic {
				return true
			}
		}
	}
	return false
}

// parameters returns names and types of what a function is given, the receiver first.
func parameters(f *types.Func) (names []string, of []types.Type) {
	sig := f.Type().(*types.Signature)
	add := func(v *types.Var, otherwise string) {
		name := v.Name()
		if name == "" || name == "_" {
			name = otherwise
		}
		names, of = append(names, name), append(of, v.Type())
	}
	if r := sig.Recv(); r != nil {
		add(r, "receiver")
	}
	for i := range sig.Params().Len() {
		add(sig.Params().At(i), "argument "+strconv.Itoa(i+1))
	}
	return names, of
}
