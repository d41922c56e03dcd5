package reach

import (
	"fmt"
	"maps"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/version"
)

// Count is how much was called.
type Count struct {
	Sequences, Calls int
	Reaching         int     // see event.Summary
	NotConfirmed     int     // differences seen, and there was no time to run them again
	Behaviours       int     // see event.Summary
	NewBehaviours    float64 // likewise
}

// Count counts what was called in all packages, and in place.
func (s *Stage) Count() Count {
	n := Count{Calls: s.Placed, NotConfirmed: s.placesLeft}
	for _, p := range s.Packages {
		if p.Search != nil {
			n.Sequences += p.Search.Sequences
			n.Calls += p.Search.Calls
			n.Reaching += p.Search.Reaching
			n.NotConfirmed += p.Search.Left()
			behaviours, expected := p.Search.Discovery()
			n.Behaviours += behaviours
			n.NewBehaviours += expected
		}
	}
	return n
}

// Targets returns what became of each function that was to be called. findings are
// those of the run.
func (s *Stage) Targets(findings []event.Finding) []event.Target {
	targets := map[string]*event.Target{}
	hurried := map[string]bool{} // targets of packages in which there was more to call
	for _, p := range s.Packages {
		s.called(p, targets)
		for _, op := range p.API.All() {
			hurried[op.Package+" "+op.Name] = hurried[op.Package+" "+op.Name] || !p.spent
		}
	}
	for _, p := range s.Packages {
		s.uncalled(p, targets)
	}
	differ := map[string]int{}
	for _, f := range findings {
		if f.Rung == event.Reached {
			differ[f.Function]++
		}
	}
	var out []event.Target
	for _, key := range slices.Sorted(maps.Keys(targets)) {
		t := *targets[key]
		if t.State == event.NotReached && t.Reason == "" {
			t.Reason = "no arguments for it were found"
			if hurried[key] {
				t.Reason += " in the time there was"
			}
		}
		t.Banned = t.Banned[:min(len(t.Banned), event.MaxBanned)]
		t.Differ = differ[t.Function]
		out = append(out, t)
	}
	return out
}

// called adds the functions of a package that have a role.
func (s *Stage) called(p *Package, targets map[string]*event.Target) {
	if p.Search == nil || p.Search.ByOp == nil {
		return
	}
	for i, op := range p.API.All() {
		role, ok := p.Roles[i]
		if !ok || !worthTelling(op, role, p.Search.ByOp[i], p.Search.LeavesOut(i)) {
			continue
		}
		key := op.Package + " " + op.Name
		if targets[key] == nil {
			targets[key] = &event.Target{Type: "target", Function: op.Name, Package: op.Package, File: op.At[version.Head].File, Line: op.Line,
				Exported: op.Exported, Role: wordOf(role), State: event.NotReached}
		}
		see(targets[key], op, seen{calls: p.Search.ByOp[i], entered: s.entered(p, op.Name), leftOut: p.Search.LeavesOut(i),
			unstable: p.Search.Unstable(i), banned: p.Search.Banned(i)})
	}
}

// worthTelling reports whether a function is a target: one that was called, and
// else one that shows the change, unless it is left out for what it does.
func worthTelling(op surface.Operation, role wire.Role, made int, leftOut bool) bool {
	if made > 0 {
		return true
	}
	if role == wire.Consumer {
		return false
	}
	return !leftOut || role == wire.Changed || op.Global && op.Exported
}

// seen is what a package's calls say of one function.
type seen struct {
	calls    int // made of it
	entered  int // sequences in which it was executed
	leftOut  bool
	unstable bool
	banned   []string
}

// see takes in what one package's calls say of a target. Another package may have
// said something before.
func see(t *event.Target, op surface.Operation, by seen) {
	switch {
	case op.Command && by.leftOut:
		t.State, t.Reason = event.Ineligible, "it runs the whole command, and others reach the change, or nothing restricts what it does (--sandbox)"
	case op.Global && by.leftOut && op.Exported:
		t.State, t.Reason = event.Ineligible, "it changes package-level variables, on which later calls would depend"
	}
	if by.calls > 0 {
		t.Calls += by.calls
		t.State = event.Compared
	}
	if t.Calls == 0 && by.entered > 0 {
		t.State, t.Calls = event.Compared, by.entered
		t.Reason = "executed by calls of exported functions"
	}
	if by.unstable {
		t.State, t.Reason = event.TargetUnstable, "what it does varies by itself, or with the calls before it"
	}
	t.Banned = append(t.Banned, by.banned...)
}

// uncalled adds the functions of Δ in a package that cannot be called.
func (s *Stage) uncalled(p *Package, targets map[string]*event.Target) {
	for _, f := range s.Matching.Changed {
		why, ok := p.API.Ineligible[f.Name]
		if slices.Contains(p.API.OneSided, f.Name) {
			why, ok = "only one version has it, or has it with this signature", true
		}
		if p.Search != nil && p.Search.ByOp == nil {
			why, ok = "no process that makes calls in its package could be started", true
		}
		if !ok || f.Package != p.Path || targets[f.Package+" "+f.Name] != nil {
			continue
		}
		if n := s.enteredAnywhere(f.Name); n > 0 {
			why = fmt.Sprintf("but executed in %d sequences that call others: %s", n, why)
		}
		t := &event.Target{Type: "target", Function: f.Name, Package: f.Package, Role: event.RoleChanged, State: event.Ineligible, Reason: why}
		if f.Head != nil {
			t.File, t.Line = f.Head.File, f.Head.Line
		}
		targets[f.Package+" "+f.Name] = t
	}
}
