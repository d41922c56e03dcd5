//go:build go1.21

package gosource

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// adaptedSource is what a test declares in place of harness.Adapt and AdaptWhole.
const adaptedSource = `// adapted returns the function fn as an F, since its signature is another one in each version: a context or a zero
// value stands for what only this version takes, what it alone gives is left out, and an error it does not give is nil.
func adapted[F any](fn any) (f F) {
	own, as := (reflect)ValueOf(fn), (reflect)TypeOf(f)
	fails := func(t (reflect)Type) bool { return t.NumOut() > 0 && t.Out(t.NumOut()-1).String() == "error" }
	return (reflect)MakeFunc(as, func(given [](reflect)Value) (results [](reflect)Value) {
		var args, out [](reflect)Value
		for i := 0; i < own.Type().NumIn(); i++ {
			in := own.Type().In(i)
			for len(given) > own.Type().NumIn()-i && given[0].Type() != in {
				given = given[1:]
			}
			switch {
			case in.String() == "context.Context" && (len(given) == 0 || given[0].Type() != in):
				args = append(args, (reflect)ValueOf((context)Background()))
			case len(given) == 0:
				args = append(args, (reflect)Zero(in))
			case own.Type().IsVariadic() && i == own.Type().NumIn()-1 && given[0].Type() == in.Elem():
				args, given = append(args, (reflect)Append((reflect)Zero(in), given[0])), given[1:]
			default:
				args, given = append(args, given[0].Convert(in)), given[1:]
			}
		}
		if own.Type().IsVariadic() {
			out = own.CallSlice(args)
		} else {
			out = own.Call(args)
		}
		for i := 0; i < as.NumOut(); i++ {
			switch last := fails(as) && i == as.NumOut()-1; {
			case last && fails(own.Type()):
				results = append(results, out[len(out)-1])
			case last:
				results = append(results, (reflect)Zero(as.Out(i)))
			default:
				results = append(results, out[i].Convert(as.Out(i)))
			}
		}
		return results
	}).Interface().(F)
}
`

// adapted writes a function that takes or gives other things in one version. People read its name alone.
func (w *writer) adapted(op *harness.Operation, fn string) string {
	t := op.Fn.Type()
	if op.Method {
		var in, out []reflect.Type
		for i := 1; i < t.NumIn(); i++ {
			in = append(in, t.In(i))
		}
		for i := 0; i < t.NumOut(); i++ {
			out = append(out, t.Out(i))
		}
		t = reflect.FuncOf(in, out, t.IsVariadic())
	}
	name := w.declaring("adapted", adaptedSource, "context", "reflect")
	return wire.Aside(name+"["+w.typ(t)+"](") + fn + wire.Aside(")")
}
