package harness

import "testing"

// TestPasses: a body ends where a test would, and what it says becomes the group's.
func TestPasses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body         func(t *T, after *bool)
		passes, skip bool
		after        bool // the statement behind is reached
	}{
		"passes":    {func(t *T, after *bool) { t.Helper(); t.Log("x"); t.Logf("x"); *after = true }, true, false, true},
		"error":     {func(t *T, after *bool) { t.Errorf("x"); *after = t.Failed() }, false, false, true},
		"fatal":     {func(t *T, after *bool) { t.Fatalf("x"); *after = true }, false, false, false},
		"skip":      {func(t *T, after *bool) { t.Skip("x"); *after = true }, true, true, false},
		"both":      {func(t *T, after *bool) { t.Error("x"); t.SkipNow() }, false, false, false},
		"cleanup":   {func(t *T, after *bool) { t.Cleanup(func() { *after = true; t.Fail() }); t.SkipNow() }, false, false, true},
		"part":      {func(t *T, after *bool) { *after = !t.Run("x", func(t *T) { t.FailNow() }) }, false, false, true},
		"part skip": {func(t *T, after *bool) { *after = t.Run("x", func(t *T) { t.Skipf("x") }) && !t.Skipped() }, true, false, true},
		"outer":     {func(t *T, after *bool) { t.Run("x", func(*T) { t.Fatal() }); *after = true }, false, false, false},
	} {
		var g Group
		after := false
		if passes := Passes(&g, func(t *T) { test.body(t, &after) }); passes != test.passes || (g.skip != "") != test.skip || after != test.after || g.open {
			t.Errorf("%s: passes %v, skipped %q, the statement behind is reached: %v; want %v, %v, %v", name, passes, g.skip, after, test.passes, test.skip, test.after)
		}
	}
}

// TestPassesPanic: a panic of a body goes on, and is one of the group's calls.
func TestPassesPanic(t *testing.T) {
	t.Parallel()
	var g Group
	defer func() {
		if r := recover(); r != "mine" || !g.open {
			t.Errorf("recovered %v, open: %v", r, g.open)
		}
	}()
	Passes(&g, func(t *T) { panic("mine") })
}
