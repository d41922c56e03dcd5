package isomorph

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/isodelta/isodelta/runner/load"
)

// Behaviour identifies what a declared function does: a digest, in hexadecimal
// digits, of the canonical text of its body, of all bodies of the module that it
// may execute, and of what initialises the module's packages. It does not
// depend on names of variables, on places or on comments. false comes back where
// the function is not known. Code outside the module is not part of it.
func (p *Program) Behaviour(at load.Place) (string, bool) {
	p.graphOnce.Do(func() { p.graph, p.graphErr = newGraph(p) })
	if p.graphErr != nil {
		return "", false
	}
	start := p.graph.at[at]
	if start == nil {
		return "", false
	}
	place := map[*body]load.Place{}
	for l, b := range p.graph.at {
		place[b] = l
	}
	wanted := map[load.Place]bool{}
	seen := map[int]bool{start.id: true}
	for work := []int{start.id}; len(work) > 0; {
		b := p.graph.bodies[work[len(work)-1]]
		work = work[:len(work)-1]
		// The text of a declaration holds its closures.
		if d := p.graph.byFn[outermost(b.fn)]; d != nil {
			wanted[place[d]] = true
		}
		for _, id := range b.leadsTo() {
			if !seen[id] {
				seen[id] = true
				work = append(work, id)
			}
		}
	}
	var parts []string
	for key, f := range p.functions {
		if f.packageInit || f.span != nil && wanted[f.span.Place] {
			parts = append(parts, key+"\n"+hex.EncodeToString(f.canonical[:])+"\n")
		}
	}
	sort.Strings(parts)
	h := sha256.New()
	for _, s := range parts {
		h.Write([]byte(s))
	}
	return hex.EncodeToString(h.Sum(nil)), true
}

func outermost(f *ssa.Function) *ssa.Function {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// leadsTo are the bodies that a body may execute, directly or later.
func (b *body) leadsTo() []int {
	var sets []*calleeSet
	for _, block := range b.sites {
		for _, s := range block {
			sets = addSet(sets, s.callees)
		}
	}
	var out []int
	for _, s := range slices.Concat(sets, b.deferred, b.async, b.cleanup) {
		out = append(out, s.ids...)
	}
	return out
}
