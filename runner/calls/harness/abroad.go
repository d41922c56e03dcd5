//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What tests call of other modules is recorded, too, where it is an operation: what they put into a store before they give it
// to the package, say. No function of another module has a hook, so the tests themselves tell of these calls: see
// probe.Called.

// abroadRecords is how many such calls are recorded in an iteration.
const abroadRecords = 150

// called is what stands for a function of another module while a test is watched: one that notes each call, and makes it.
func (w *watcher) called(name string, f any) any {
	if !w.lock.TryLock() {
		return f
	}
	defer w.lock.Unlock()
	if w.recorder == nil {
		return f
	}
	op := w.recorder.operationNamed(name)
	if op == 0 {
		return f
	}
	fn := reflect.ValueOf(f)
	t := fn.Type()
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		w.note(op, in)
		if t.IsVariadic() {
			return fn.CallSlice(in)
		}
		return fn.Call(in)
	}).Interface()
}

// note records a call, unless another one is being recorded.
func (w *watcher) note(op wire.Op, in []reflect.Value) {
	if !w.lock.TryLock() {
		return
	}
	defer w.lock.Unlock()
	if w.recorder != nil {
		w.recorder.addAbroad(op, in)
	}
}

// operationNamed is the operation that is a function of another module; 0 for none.
func (r *recorder) operationNamed(name string) wire.Op {
	for i := wire.Builtins; int(i) < len(r.Ops); i++ {
		if op := &r.Ops[i]; op.Hook < 0 && op.Name == name && op.Fn.IsValid() && !op.Variable && !op.Selector {
			return i
		}
	}
	return 0
}

// addAbroad records a call of a function of another module. What a method is of is a hole: that is mostly what the call
// before it has made.
func (r *recorder) addAbroad(op wire.Op, in []reflect.Value) {
	o := &r.Ops[op]
	first := 0
	if o.Method {
		first = 1
	}
	if len(in)+first != len(o.In) || len(o.In) > wire.MaxArgs || r.abroad >= abroadRecords || len(r.records) >= r.maxRecords {
		return
	}
	rec := wire.Record{Hook: wire.Abroad, Op: op, Args: make([]wire.Lit, len(o.In))}
	if first > 0 {
		rec.Args[0] = wire.Lit{Form: wire.Hole}
	}
	for i, v := range in {
		if v.CanInterface() {
			rec.Args[first+i] = (&literalWriter{Registry: r.Registry, temporary: r.temporary}).argument(v.Interface(), o.In[first+i])
		} else {
			rec.Args[first+i] = wire.Lit{Form: wire.Hole}
		}
	}
	r.abroad++
	r.records = append(r.records, rec)
}
