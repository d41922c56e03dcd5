//go:build go1.21

package harness

import (
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Many clients have no transport that they are given: they ask servers through the usual one of package
// net/http. Where a sequence did that, a step in front of it has a function answer in place of servers, as
// clients are answered that are given a transport (Replies).

// Answered is the name of the operation that does so.
const Answered = "answered"

const (
	maxUnanswered  = 128 // sequences
	shareAnswering = 15  // of a hundred sequences, see answering
)

// Answers registers that operation, of which answer says by what; unanswered ends it, and reports whether servers have
// been asked since it was called last.
func Answers[R, A any](o Operation, answer func(func(R) (A, error)), unanswered func() bool) {
	Func(o, answer)
	registry.unanswered = unanswered
}

// wantAnswers books a sequence that executed something of Δ, or found something new, and asked servers.
func (g *generator) wantAnswers(p wire.Sequence) {
	if !g.m.AskedServers || g.answered < 0 || len(p) >= longest {
		return
	}
	if len(g.unanswered) < maxUnanswered {
		g.unanswered = append(g.unanswered, p)
		return
	}
	g.unanswered[g.r.Intn(maxUnanswered)] = p
}

// answering is a sequence that asks servers, behind the step that answers.
func (g *generator) answering() wire.Sequence {
	p := g.unanswered[g.r.Intn(len(g.unanswered))].Clone()
	b := g.builder(nil)
	replies := b.freshReplies()
	b.add(wire.Step{Op: g.answered, Args: []wire.Lit{replies}})
	return b.p.Append(p)
}
