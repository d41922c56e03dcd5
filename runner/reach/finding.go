package reach

import (
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// finding makes a finding of a confirmed difference.
func (s *Stage) finding(p *Package, d calls.Difference) event.Finding {
	f := event.Finding{Type: "finding", Rung: event.Reached, Package: p.Path, Kind: d.Kind, Negations: []event.Negation{},
		Changed: s.Matching.Entered(d.Entered), Function: d.Op, Component: d.Component, Exported: d.Exported, Origin: event.OriginSequence,
		Input: inputText(p, d), Differs: d.Differs, Printed: d.Printed, Apart: d.Apart, Example: d.Example, Random: d.Random, AfterError: d.AfterError, BesideError: d.BesideError,
		Program: hex.EncodeToString(d.Sequence.Encode(nil))}
	if len(d.Sequence) == 1 {
		f.Origin = event.OriginPlain
	}
	if len(f.Program) > event.MaxProgram {
		f.Program = ""
	}
	behind := dynamicOf(p, d.Op)
	for _, op := range p.API.All() {
		if op.Name == d.Op || f.File == "" && slices.Contains(behind, op.Name) {
			f.File, f.Line = op.At[version.Head].File, op.Line
		}
	}
	f.Base, f.Head = Shown(d.Base), Shown(d.Head)
	f.Base.File, f.Base.Line = s.panickedAt(version.Base, d.Base.At)
	f.Head.File, f.Head.Line = s.panickedAt(version.Head, d.Head.At)
	f.Foreign = len(f.Changed) == 0 && s.Matching.OnlyDependencies && s.foreign(p.API, d)
	f.Signatures = signatures(p.API, d.Sequence)
	f.ID = diff.ID(f)
	return f
}

// foreign reports whether what a call shows, and all that it is given, comes of functions of other modules.
func (s *Stage) foreign(api *surface.API, d calls.Difference) bool {
	needed, _ := d.Sequence.Slice(d.Place.Step)
	own := s.Matching.Versions[version.Head].Tree.Packages
	return !slices.ContainsFunc(needed, func(step wire.Step) bool {
		op := api.Op(step.Op)
		return slices.ContainsFunc(own, func(p *load.Package) bool { return p.Path == op.Package })
	})
}

// panickedAt returns where a panic comes from, relative to the repository; nowhere for what is not in the
// version's tree.
func (s *Stage) panickedAt(side version.Side, at probe.Frame) (file string, line int) {
	if at.File == "" || at.Line <= 0 {
		return "", 0
	}
	v := s.Matching.Versions[side]
	file = v.Tree.Rel(at.File)
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return "", 0
	}
	if _, err := os.Stat(v.Dir(file)); err != nil {
		return "", 0 // it is one of the files that we add
	}
	return file, at.Line
}

// signatures lists the functions of a sequence whose signatures changed.
func signatures(api *surface.API, sequence wire.Sequence) []event.Signatures {
	var out []event.Signatures
	for _, step := range sequence {
		op := api.Op(step.Op)
		texts, adapted := op.Adapted()
		if !adapted || len(out) == event.MaxSignatures || slices.ContainsFunc(out, func(s event.Signatures) bool { return s.Function == op.Name }) {
			continue
		}
		out = append(out, event.Signatures{Function: op.Name, Base: texts[version.Base], Head: texts[version.Head]})
	}
	return out
}

// dynamicOf names the methods that a call of an interface's method may be a
// call of.
func dynamicOf(p *Package, name string) []string {
	for _, op := range p.API.All() {
		if op.Name == name {
			return op.Dynamic
		}
	}
	return nil
}

// Shown returns what a call showed, as the stream tells it.
func Shown(s calls.Shown) event.Result {
	r := event.Result{Outcome: event.Pass, Value: s.Text, Message: s.Message}
	switch s.Ending {
	case probe.Panicked:
		r.Outcome = event.Panic
	case probe.Exhausted:
		r.Outcome = event.Exhausted
	case probe.Died:
		r.Outcome = event.Died
	}
	return r
}

// inputText returns a sequence as Go statements, the call that differs last. Packages
// are named as a user of the package names them.
func inputText(p *Package, d calls.Difference) string {
	lines := slices.Clone(d.Code.Lines)
	if d.Place.Kind != wire.AtAfter && d.Code.Setup < len(lines) && d.Code.Call != "" {
		lines = append(lines[:d.Code.Setup:d.Code.Setup], d.Code.Call)
	} else if d.Code.Subject != "" {
		lines = append(lines, d.Code.Subject)
	}
	return wire.Qualify(wire.ForPeople(strings.Join(lines, "\n")), func(at string) string {
		if at == p.Path {
			return ""
		}
		if name := d.Code.Imports[at]; name != "" {
			return name + "."
		}
		return path.Base(at) + "."
	})
}
