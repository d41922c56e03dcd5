//go:build go1.21

package harness

// A T stands in for *testing.T in the body of a fuzz test, which runs in a group: what
// ends a test ends the body, and nothing is printed.
type T struct {
	failed, skipped bool
	cleanups        []func()
}

// ended is what the body of a test panics with where it ends early.
type ended struct{ t *T }

// Passes runs the body of a test and reports whether it passes. What it skips, the group
// says nothing about. A panic is the body's, as one of a call is the call's.
func Passes(g *Group, body func(*T)) bool {
	g.open = true
	var t T
	t.run(body)
	g.open = false
	if t.skipped && !t.failed {
		g.Skip("the test skips this input")
	}
	return !t.failed
}

func (t *T) run(body func(*T)) {
	defer func() {
		r := recover()
		for i := len(t.cleanups) - 1; i >= 0; i-- {
			t.cleanups[i]()
		}
		if e, ok := r.(ended); r != nil && (!ok || e.t != t) {
			panic(r)
		}
	}()
	body(t)
}

// Run runs a part of a test, as testing.T.Run does, and reports whether it passes.
func (t *T) Run(_ string, f func(*T)) bool {
	var sub T
	sub.run(f)
	t.failed = t.failed || sub.failed
	return !sub.failed
}

// Fail says that the test fails.
func (t *T) Fail() { t.failed = true }

// FailNow says that the test fails, and ends it.
func (t *T) FailNow() {
	t.failed = true
	panic(ended{t})
}

// Error says that the test fails.
func (t *T) Error(...any) { t.failed = true }

// Errorf says that the test fails.
func (t *T) Errorf(string, ...any) { t.failed = true }

// Fatal says that the test fails, and ends it.
func (t *T) Fatal(...any) { t.FailNow() }

// Fatalf says that the test fails, and ends it.
func (t *T) Fatalf(string, ...any) { t.FailNow() }

// SkipNow says that the test says nothing about its input, and ends it.
func (t *T) SkipNow() {
	t.skipped = true
	panic(ended{t})
}

// Skip says that the test says nothing about its input, and ends it.
func (t *T) Skip(...any) { t.SkipNow() }

// Skipf says that the test says nothing about its input, and ends it.
func (t *T) Skipf(string, ...any) { t.SkipNow() }

// Log does nothing.
func (t *T) Log(...any) {}

// Logf does nothing.
func (t *T) Logf(string, ...any) {}

// Helper does nothing.
func (t *T) Helper() {}

// Failed reports whether the test has failed.
func (t *T) Failed() bool { return t.failed }

// Skipped reports whether the test was skipped.
func (t *T) Skipped() bool { return t.skipped }

// Cleanup has a function called when the test has ended.
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
