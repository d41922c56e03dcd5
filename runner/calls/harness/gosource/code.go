//go:build go1.21

package gosource

import (
	"sort"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// statement is one statement under way: variables, if there are some, and what
// they are declared with.
type statement struct {
	declares []string // "_" among them
	with     string   // " := f(x)", " T = x"; the whole statement if nothing is declared
	isVar    bool     // var x T
	call     string   // what remains if no variable is used; "" for nothing
}

// code drops what nothing uses and gives the variables their names.
func (w *writer) code() wire.Code {
	used := map[string]bool{}
	use := func(text string) {
		parts := strings.Split(text, variableMark)
		for i := 1; i < len(parts); i += 2 {
			used[variableMark+parts[i]+variableMark] = true
		}
	}
	use(w.subject.expr)
	use(w.call)
	var lines []string
	setup := w.setup
	for i := len(w.lines) - 1; i >= 0; i-- {
		text := w.lines[i].text(used)
		if text == "" {
			if i < w.setup {
				setup--
			}
			continue
		}
		use(text)
		lines = append(lines, text)
	}
	names := w.names(used)
	open := func(text string) string {
		parts := strings.Split(text, variableMark)
		for i := 1; i < len(parts); i += 2 {
			parts[i] = names[parts[i]]
		}
		return strings.Join(parts, "")
	}
	c := wire.Code{Lines: append([]string(nil), w.locals...), Setup: setup + len(w.locals), Imports: map[string]string{}, Internal: w.internal, External: w.external,
		Call: open(w.call), Subject: open(w.subject.expr), Stubs: w.stubs}
	if w.stream >= 0 {
		c.Stream = [probe.Streams]string{"Stdout", "Stderr"}[w.stream]
	}
	for i := len(lines) - 1; i >= 0; i-- {
		c.Lines = append(c.Lines, open(lines[i]))
	}
	texts := append([]string{c.Call, c.Subject}, c.Lines...)
	for _, s := range c.Stubs {
		texts = append(texts, s.Text)
	}
	for _, text := range texts {
		wire.Qualify(text, func(path string) string {
			c.Imports[path] = w.packages[path]
			return ""
		})
	}
	for _, n := range names {
		c.Vars = append(c.Vars, n)
	}
	sort.Strings(c.Vars)
	return c
}

// text is the statement without the variables that are not used; "" if
// nothing is left of it.
func (s statement) text(used map[string]bool) string {
	if len(s.declares) == 0 {
		return s.with
	}
	names, some := make([]string, len(s.declares)), false
	for i, n := range s.declares {
		names[i] = "_"
		if used[n] {
			names[i], some = n, true
		}
	}
	switch {
	case !some:
		return s.call
	case s.isVar:
		return "var " + names[0] + " " + s.with
	}
	return strings.Join(names, ", ") + " := " + s.with
}
