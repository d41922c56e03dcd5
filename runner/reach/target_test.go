package reach

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestWorthTelling(t *testing.T) {
	t.Parallel()
	global := surface.Operation{Global: true, Exported: true}
	for _, c := range []struct {
		what    string
		op      surface.Operation
		role    wire.Role
		made    int
		leftOut bool
		want    bool
	}{
		{"changed, called", surface.Operation{}, wire.Changed, 1, false, true},
		{"changed, not called", surface.Operation{}, wire.Changed, 0, false, true},
		{"changed, left out", surface.Operation{}, wire.Changed, 0, true, true},
		{"caller, not called", surface.Operation{}, wire.Caller, 0, false, true},
		{"caller, left out", surface.Operation{}, wire.Caller, 0, true, false},
		{"caller, left out for the variables it changes", global, wire.Caller, 0, true, true},
		{"the same, unexported", surface.Operation{Global: true}, wire.Caller, 0, true, false},
		{"consumer, called", surface.Operation{}, wire.Consumer, 1, false, true},
		{"consumer, not called", surface.Operation{}, wire.Consumer, 0, false, false},
		{"consumer, left out for the variables it changes", global, wire.Consumer, 0, true, false},
	} {
		if got := worthTelling(c.op, c.role, c.made, c.leftOut); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}

func TestSee(t *testing.T) {
	t.Parallel()
	const executed, varies, globals = "executed by calls of exported functions",
		"what it does varies by itself, or with the calls before it", "it changes package-level variables, on which later calls would depend"
	for _, c := range []struct {
		what string
		op   surface.Operation
		by   []seen // package by package
		want event.Target
	}{
		{"nothing", surface.Operation{}, []seen{{}}, event.Target{State: event.NotReached}},
		{"called", surface.Operation{}, []seen{{calls: 3, entered: 9}}, event.Target{State: event.Compared, Calls: 3}},
		{"called in two packages", surface.Operation{}, []seen{{calls: 3}, {calls: 4}}, event.Target{State: event.Compared, Calls: 7}},
		{"called in the second", surface.Operation{}, []seen{{}, {calls: 4}}, event.Target{State: event.Compared, Calls: 4}},
		{"executed by others", surface.Operation{}, []seen{{entered: 9}}, event.Target{State: event.Compared, Calls: 9, Reason: executed}},
		{"unstable", surface.Operation{}, []seen{{calls: 3, unstable: true}}, event.Target{State: event.TargetUnstable, Calls: 3, Reason: varies}},
		{"left out", surface.Operation{}, []seen{{leftOut: true}}, event.Target{State: event.NotReached}},
		{"left out for variables", surface.Operation{Global: true, Exported: true}, []seen{{leftOut: true}}, event.Target{State: event.Ineligible, Reason: globals}},
		{"the same, unexported", surface.Operation{Global: true}, []seen{{leftOut: true}}, event.Target{State: event.NotReached}},
		{"banned in two packages", surface.Operation{}, []seen{{banned: []string{"a"}}, {banned: []string{"b"}}}, event.Target{State: event.NotReached, Banned: []string{"a", "b"}}},
	} {
		got := event.Target{State: event.NotReached}
		for _, by := range c.by {
			see(&got, c.op, by)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
}
