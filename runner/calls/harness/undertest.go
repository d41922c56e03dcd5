//go:build go1.21

package harness

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Functions of test files often take the test that calls them: it makes folders, has things closed in the end, and ends
// where something cannot be set up. So a sequence with such a call is a test by itself.

// Under says which test makes the calls.
func Under(t *testing.T) { registry.parent = t }

// takingTest is a function whose first parameter is the test.
type takingTest struct{ fn any }

// TakingTest is a function to register whose first parameter is the test.
func TakingTest(fn any) any { return takingTest{fn} }

// withoutTest returns a function like one whose first parameter is a test, without that parameter.
func (r *Registry) withoutTest(fn reflect.Value) reflect.Value {
	t := fn.Type()
	var in, out []reflect.Type
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for i := 0; i < t.NumOut(); i++ {
		out = append(out, t.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, t.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		all := append([]reflect.Value{reflect.ValueOf(r.test)}, args...)
		if t.IsVariadic() {
			return fn.CallSlice(all)
		}
		return fn.Call(all)
	})
}

// takesTest reports whether a step of a sequence takes a test.
func (r *Registry) takesTest(p wire.Sequence) bool {
	for _, s := range p {
		if !s.Op.Builtin() && r.Has(s.Op) && r.Ops[s.Op].Test {
			return true
		}
	}
	return false
}

// InTest calls a function that runs the steps of a sequence: in a test of its own, whose cleanups follow, where one of them
// takes a test. Nothing is called where there is no test to have that one.
func (r *Registry) InTest(p wire.Sequence, run func()) {
	switch {
	case r.test != nil || !r.takesTest(p):
		run()
	case r.parent != nil:
		r.parent.Run("", func(t *testing.T) {
			r.test = t
			defer func() { r.test = nil }()
			rename(t, r.parent.Name())
			// The first folder has a name that is drawn, and the first helper makes a map, which has a seed: neither is
			// anything that the steps do.
			Restore()
			t.TempDir()
			t.Helper()
			run()
		})
	}
}

// rename gives a test another name, also for its folders: package testing numbers those of one name, and each version makes
// another number of sequences.
func rename(t *testing.T, name string) {
	if f := reflect.ValueOf(t).Elem().FieldByName("name"); f.IsValid() && f.Kind() == reflect.String {
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetString(name)
	}
}

// aside calls a function on a goroutine of its own, which a test ends that fails at once or is skipped. It reports whether the
// function came to its end.
func aside(call func()) (returned bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
		returned = true
	}()
	<-done
	return returned
}

// saidIn is what was said in a test so far, without the lines where. Package testing keeps it in a field of its own; where that
// is another one, nothing is known of it.
func saidIn(t *testing.T) string {
	output := reflect.ValueOf(t).Elem().FieldByName("output")
	if !output.IsValid() || output.Kind() != reflect.Slice || output.Type().Elem().Kind() != reflect.Uint8 {
		return ""
	}
	said := saidAt.ReplaceAllString(string(output.Bytes()), "")
	return strings.TrimSpace(probe.Normal(said))
}

// saidAt matches where a line of a test's output comes from.
var saidAt = regexp.MustCompile(`(?m)^ +[\w.-]+\.go:\d+: `)
