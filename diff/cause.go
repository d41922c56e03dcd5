package diff

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Changes are the changed functions of a comparison, with the digests of their
// code on head.
type Changes struct {
	digests map[string]string // by function
	names   []string          // of the functions, sorted
	whole   string            // digest of all that, and of why else the versions may differ
}

// ChangesOf takes them out of a stream.
func ChangesOf(matches []event.Match) Changes {
	c := Changes{digests: map[string]string{}}
	var rest []string
	for _, m := range matches {
		for _, f := range m.Changed {
			c.digests[f.Function] = f.Status + " " + f.Digest
		}
		rest = append(rest, m.PruneBlockers...)
	}
	c.names = slices.Sorted(maps.Keys(c.digests))
	slices.Sort(rest)
	for _, name := range c.names {
		rest = append(rest, name, c.digests[name])
	}
	c.whole = fmt.Sprintf("%08x", hash(rest...))
	return c
}

// A Cause is what an identifier stands for: a kind of difference, and the code
// that can explain it, as it is on head.
type Cause struct {
	Kind    string
	Changed []string // sorted functions
	// at is what was called, where no changed function is known to have run; the
	// whole change then has to explain it.
	at string
}

// causeOf is the cause of one finding, whatever its rung.
func causeOf(f event.Finding) Cause {
	c := Cause{Kind: f.Kind, Changed: slices.Compact(slices.Sorted(slices.Values(f.Changed)))}
	if len(c.Changed) == 0 {
		c.at = strings.Join([]string{f.Package, f.Function, f.Component}, "\x00")
	}
	return c
}

// causesOf gives each cluster the cause that explains all of its findings.
func causesOf(findings []event.Finding) map[string]Cause {
	causes, ran := map[string]Cause{}, map[string]map[string]bool{}
	for _, f := range findings {
		if ran[f.Cluster] == nil {
			causes[f.Cluster], ran[f.Cluster] = causeOf(f), map[string]bool{}
		}
		for _, name := range f.Changed {
			ran[f.Cluster][name] = true
		}
	}
	for cluster, names := range ran {
		cause := causes[cluster]
		cause.Changed = slices.Sorted(maps.Keys(names))
		causes[cluster] = cause
	}
	return causes
}

// Covers says whether a finding is a difference of this kind, made by this code
// and no other.
func (c Cause) Covers(f event.Finding) bool {
	d := causeOf(f)
	if len(c.Changed) == 0 || len(d.Changed) == 0 {
		return c.Kind == d.Kind && c.at == d.at && len(c.Changed) == len(d.Changed)
	}
	return c.Kind == d.Kind && covers(c.Changed, d.Changed)
}

// number of a cause: the part of an identifier that all rungs share.
func (c Changes) number(cause Cause) uint32 {
	parts := []string{"cause", cause.Kind, cause.at}
	if len(cause.Changed) == 0 {
		parts = append(parts, c.whole)
	}
	for _, name := range cause.Changed {
		parts = append(parts, name, c.digests[name])
	}
	return hash(parts...)
}

// identifier tells the clusters of one cause apart, by what mixes into the
// cause's number: how strong the evidence is, and how the executions ended.
func (c Changes) identifier(f event.Finding, cause Cause) string {
	return fmt.Sprintf("%08x", c.number(cause)^shade(f.Rung, f.Intended, f.Base.Outcome, f.Head.Outcome))
}

func shade(rung event.Rung, intended bool, base, head event.Outcome) uint32 {
	return hash("shade", string(rung), strconv.FormatBool(intended), string(base), string(head))
}

func hash(parts ...string) uint32 {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return binary.BigEndian.Uint32(sum[:])
}

// shades of all evidence that an acceptance can be about.
func shades() []uint32 {
	outcomes := []event.Outcome{event.Pass, event.Fail, event.Panic, event.Exhausted, event.Died}
	var out []uint32
	for _, rung := range []event.Rung{event.Observed, event.Reached, event.Forced} {
		for _, base := range outcomes {
			for _, head := range outcomes {
				out = append(out, shade(rung, false, base, head))
			}
		}
	}
	return out
}

// mostSets bounds the sets of changed functions that an identifier is looked
// for in, beside those that some finding executed.
const mostSets = 1 << 11

// Causes finds the cause of an identifier, also of one that another run gave.
type Causes struct {
	byNumber map[uint32]Cause
	shades   []uint32
	// Exhaustive says that an identifier that is not found stands for nothing
	// in this change, however long one looks for differences.
	Exhaustive bool
}

// Causes prepares a search among all causes that a difference in these
// changes, or one of the findings, can have.
func (c Changes) Causes(findings []event.Finding) Causes {
	x := Causes{byNumber: map[uint32]Cause{}, shades: shades()}
	add := func(cause Cause) {
		for _, kind := range kinds() {
			cause.Kind = kind
			x.byNumber[c.number(cause)] = cause
		}
	}
	x.Exhaustive = smallSets(c.names, mostSets, func(set []string) { add(Cause{Changed: set}) })
	for _, f := range findings {
		add(causeOf(f))
	}
	for _, cause := range causesOf(findings) {
		add(cause)
	}
	return x
}

// Find gives the cause of an identifier of eight hexadecimal digits.
func (x Causes) Find(id string) (Cause, bool) {
	n, err := strconv.ParseUint(id, 16, 32)
	if err != nil || len(id) != 8 {
		return Cause{}, false
	}
	for _, s := range x.shades {
		if cause, ok := x.byNumber[uint32(n)^s]; ok {
			return cause, true
		}
	}
	return Cause{}, false
}

// smallSets visits the sets of names that are not empty, small ones first, and
// says whether those were all.
func smallSets(names []string, most int, visit func([]string)) bool {
	level := [][]int{{}}
	for len(level) > 0 {
		var next [][]int
		for _, set := range level {
			from := 0
			if len(set) > 0 {
				from = set[len(set)-1] + 1
			}
			for i := from; i < len(names); i++ {
				if most == 0 {
					return false
				}
				most--
				longer := append(slices.Clone(set), i)
				chosen := make([]string, len(longer))
				for k, at := range longer {
					chosen[k] = names[at]
				}
				visit(chosen)
				next = append(next, longer)
			}
		}
		level = next
	}
	return true
}
