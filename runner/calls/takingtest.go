package calls

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// WriteTaking writes a whole file with one test of an input that takes a branch, in words
// what it takes. The test wants what the code gives now, as base's views show it.
func WriteTaking(t TestSpec, taken string) ([]byte, error) {
	f := newTestFile(t)
	c, ok := check{}, false
	switch {
	case t.BaseViews.Ending == probe.Panicked:
		f.setLabel()
		c = check{before: []string{"defer func() {", "if recover() == nil {", f.errorf(f.label + " returns, want a panic"), "}", "}()"}}
	case t.Place.Kind == wire.AtComponent:
		if c, ok = f.shownCheck(); !ok {
			c = check{}
		}
	}
	c.says = taken
	return f.write(c)
}

// shownCheck asserts the first thing that base shows; false if there is nothing that a
// test can look at.
func (f *testFile) shownCheck() (check, bool) {
	f.setLabel()
	for _, internal := range []bool{false, true} {
		for _, v := range f.BaseViews.List {
			if v.Address || v.Internal && !f.Code.Internal != internal {
				continue
			}
			c := f.checkView(v, v)
			c.internal = internal
			return c, true
		}
	}
	return check{}, false
}
