package check

import (
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// searchedFormat changes when what a search finds does.
const searchedFormat = 1

// searched are the trees that searches have found of one function, by transformation. Only
// searches that came to their end are kept, so that what is found does not depend on how
// much time there was. Trees are candidates: each run judges them on its own inputs.
type searched struct {
	cache   inferred[map[string][]string]
	key     string
	found   map[string][]string // keys of trees by the name of a transformation
	changed bool
}

// searchedBefore returns what is kept of a function.
func (s *Stage) searchedBefore(o surface.Operation, e *evolved) *searched {
	variables, _, _ := e.variables(nil)
	k := &searched{cache: inferred[map[string][]string]{s.Cache}, found: map[string][]string{},
		key: s.inferredKey(o, "evolved", searchedFormat, variables, e.constants, genetic.Usual(s.Env.Seed))}
	if found, ok := k.cache.get(k.key); ok && found != nil {
		k.found = found
	}
	return k
}

// trees returns what a search under a transformation has found; false if none has ended.
func (k *searched) trees(t *genetic.Transform, variables []law.Variable) ([]*law.Expr, bool) {
	keys, ok := k.found[nameOf(t)]
	if !ok {
		return nil, false
	}
	var out []*law.Expr
	for _, key := range keys {
		x, err := law.Parse(key, variables)
		if err != nil || x.Kind() != law.Bool {
			return nil, false // damaged: it is searched anew
		}
		out = append(out, x)
	}
	return out, true
}

// add keeps what a search has found.
func (k *searched) add(t *genetic.Transform, trees []*law.Expr) {
	keys := []string{}
	for _, x := range trees {
		keys = append(keys, x.Key())
	}
	k.found[nameOf(t)], k.changed = keys, true
}

// put keeps everything for the next run.
func (k *searched) put(s *Stage, function string) {
	if !k.changed {
		return
	}
	if err := k.cache.put(k.key, k.found); err != nil {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: function, Reason: "what was evolved of it was not kept for the next run: " + err.Error()})
	}
}

// nameOf names a transformation; nil stands for the call alone.
func nameOf(t *genetic.Transform) string {
	if t == nil {
		return ""
	}
	return t.Name
}
