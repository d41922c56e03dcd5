package diff

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	within  map[string]string // by function that is the same, what of dependencies it executes that is not
	whole   string            // digest of all that, and of why else the versions may differ
}

// ChangesOf takes them out of a stream.
func ChangesOf(matches []event.Match) Changes {
	c := Changes{digests: map[string]string{}, within: map[string]string{}}
	var rest []string
	for _, m := range matches {
		for _, f := range m.Changed {
			c.digests[f.Function] = f.Status + " " + f.Digest
			if f.Status == event.StatusThrough {
				c.within[f.Function] = withinDependencies(f.Through)
			}
		}
		rest = append(rest, m.PruneBlockers...)
	}
	c.names = slices.Sorted(maps.Keys(c.digests))
	slices.Sort(rest)
	for _, name := range c.names {
		rest = append(rest, name, c.digests[name])
	}
	c.whole = hash(rest...)
	return c
}

// withinDependencies is the same for functions that execute the same changed code of dependencies,
// as far as it is named.
func withinDependencies(list []event.Through) string {
	var parts []string
	for _, t := range list {
		parts = append(parts, t.Module, t.Base, t.Head, strconv.Itoa(t.Count))
		parts = append(parts, t.Functions...)
	}
	return hash(parts...)
}

// rootsOf is what can explain a finding: the changed functions that ran, and in place of those
// that are the same themselves, what they execute of dependencies. Where no function is known to
// have run, it is everything of dependencies if nothing else changed, or something that no
// other finding has.
func (c Changes) rootsOf(f event.Finding) []string {
	var roots []string
	if len(f.Changed) == 0 {
		roots = slices.Collect(maps.Values(c.within))
		if len(roots) == 0 || len(c.within) < len(c.digests) {
			return []string{unknownRoot}
		}
	}
	for _, name := range f.Changed {
		roots = append(roots, cmp.Or(c.within[name], name))
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// unknownRoot stands for a change of which no function is known to have run. It is no name of one.
const unknownRoot = "?"

// A Cause is what an identifier stands for: a kind of difference, and the code
// that can explain it, as it is on head.
type Cause struct {
	Kind    event.Kind
	Changed []string // sorted functions
	// Beside are the parts of calls that differ as well, in another way, sorted.
	// Results are left out: another value comes with an error.
	Beside []string
	// at is what was called, where no changed function is known to have run; the
	// whole change then has to explain it.
	at string
	// also is what else was called like that, as far as it is in the same cluster, sorted.
	// It is no part of an identifier, since it differs from run to run; whole says that the
	// whole change is one, which it has to be for that.
	also  []string
	whole bool
}

// causeOf is the cause of one finding, whatever its rung.
func causeOf(f event.Finding) Cause {
	c := Cause{Kind: f.Kind, Changed: slices.Compact(slices.Sorted(slices.Values(f.Changed)))}
	if len(c.Changed) == 0 {
		c.at = strings.Join([]string{f.Package, f.Function, f.Component}, "\x00")
	}
	return c
}

// causesOf returns each cluster the cause that explains all of its findings.
func causesOf(findings []event.Finding, leaders []int) map[string]Cause {
	causes, ran := map[string]Cause{}, map[string]map[string]bool{}
	for i, f := range findings {
		if ran[f.Cluster] == nil {
			causes[f.Cluster], ran[f.Cluster] = causeOf(findings[leaders[i]]), map[string]bool{}
		}
		for _, name := range f.Changed {
			ran[f.Cluster][name] = true
		}
	}
	inner := map[string]bool{}
	for i, f := range findings {
		// What is seen through another function has the cause that it has there, and who accepts
		// an error accepts no panic.
		l := findings[leaders[i]]
		milder := causes[f.Cluster].Kind == event.KindPanic && l.Kind != event.KindPanic && l.Rung == event.Reached
		if l.Through == "" && (!inner[f.Cluster] || milder) {
			causes[f.Cluster], inner[f.Cluster] = causeOf(l), true
		}
	}
	for _, f := range findings {
		if at := causeOf(f).at; at != "" {
			cause := causes[f.Cluster]
			cause.also = append(cause.also, at)
			causes[f.Cluster] = cause
		}
	}
	for cluster, names := range ran {
		cause := causes[cluster]
		cause.Changed = slices.Sorted(maps.Keys(names))
		slices.Sort(cause.also)
		cause.also = slices.Compact(cause.also)
		if len(cause.Changed) > 0 {
			cause.at, cause.whole = "", len(cause.also) > 0
		}
		causes[cluster] = cause
	}
	for i, f := range findings {
		if c := causes[f.Cluster]; leaders[i] != i && !c.accompanies(f) {
			c.Beside = append(c.Beside, f.Part())
			slices.Sort(c.Beside)
			causes[f.Cluster] = c
		}
	}
	return causes
}

// leadersWithin are the leaders of calls, as far as they are in one cluster with what
// follows them: findings of a stream may be grouped in another way.
func leadersWithin(findings []event.Finding) []int {
	leaders := event.Leaders(findings)
	for i, l := range leaders {
		if findings[l].Cluster != findings[i].Cluster {
			leaders[i] = i
		}
	}
	return leaders
}

// Covered reports, for each finding, whether this cause explains it. What else differs
// of an explained call counts too. Whether the rest of the call is accepted already does
// not matter.
func (c Cause) Covered(findings []event.Finding) []bool {
	unmarked := slices.Clone(findings)
	for i := range unmarked {
		unmarked[i].Accepted = nil
	}
	whole, apart := event.Leaders(unmarked), event.Leaders(findings)
	covers := func(leader, i int) bool {
		return c.explains(findings[leader]) && (leader == i || c.accompanies(findings[i]))
	}
	covered := make([]bool, len(findings))
	for i := range findings {
		covered[i] = covers(whole[i], i) || covers(apart[i], i)
	}
	return covered
}

// explains reports whether a finding is a difference of this kind, or what it comes to in a
// wrapper, made by this code and no other.
func (c Cause) explains(f event.Finding) bool {
	d := causeOf(f)
	if len(d.Changed) == 0 {
		return c.Kind == d.Kind && (len(c.Changed) == 0 && c.at == d.at || slices.Contains(c.also, d.at))
	}
	return len(c.Changed) > 0 && (c.Kind == d.Kind || follows(f, c.Kind)) && covers(c.Changed, d.Changed)
}

// accompanies reports whether a finding of a call that this explains is explained by
// it, too.
func (c Cause) accompanies(f event.Finding) bool {
	if c.explains(f) {
		return true
	}
	return covers(c.Changed, f.Changed) && (f.Part() == event.ComponentResult || slices.Contains(c.Beside, f.Part()))
}

// hashOf a cause is what an acceptance names. Every part of it is as long as
// SHA-256, so that no other code can be made to have the same one: neither for a
// given hash, nor by somebody who writes both changes.
func (c Changes) hashOf(cause Cause) string {
	parts := []string{strings.Join(append([]string{"cause"}, cause.Beside...), " "), string(cause.Kind), cause.at}
	if len(cause.Changed) == 0 || cause.whole {
		parts = append(parts, c.whole)
	}
	for _, name := range cause.Changed {
		parts = append(parts, name, c.digests[name])
	}
	return hash(parts...)
}

// identify tells the clusters of one cause apart: by how strong the evidence is,
// how the executions ended, whether it is seen only afterwards, and by what nobody gives.
func identify(f event.Finding, cause string) string {
	parts := []string{"cluster", cause, string(f.Rung), strconv.FormatBool(f.Intended), string(f.Base.Outcome), string(f.Head.Outcome), afterwards(f)}
	if f.Misuse != "" {
		parts = append(parts, string(f.Misuse))
	}
	return hash(parts...)
}

// hash writes each part with its length, so that no part can end another.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Causes finds the cause of an identifier.
type Causes struct {
	byHash map[string]Cause
	hashes []string // sorted
}

// Causes prepares a search among the causes of the findings and of their
// clusters, and among no others: nothing else in a comparison can be accepted.
func (c Changes) Causes(findings []event.Finding) Causes {
	x := Causes{byHash: map[string]Cause{}}
	for _, f := range findings {
		cause := causeOf(f)
		x.byHash[c.hashOf(cause)] = cause
	}
	for _, cause := range causesOf(findings, leadersWithin(findings)) {
		// Whether a receiver was seen to differ beside an error differs from run to run, and so does
		// which call leads, and whether there is one without a changed function.
		for _, cause.Beside = range besides() {
			for _, variant := range cause.variants() {
				x.byHash[c.hashOf(variant)] = variant
			}
		}
	}
	x.hashes = slices.Sorted(maps.Keys(x.byHash))
	return x
}

// Find returns the cause of an identifier: of a hash, or of so many of its first
// digits that no other one here begins with them.
func (x Causes) Find(id string) (Cause, bool) {
	hash, ok := named(x.hashes, id)
	return x.byHash[hash], ok
}

// variants are the causes whose identifiers stand for this one: with the whole change or without it,
// and with each call that no changed function is known of.
func (c Cause) variants() []Cause {
	if len(c.Changed) > 0 {
		alone := c
		c.whole, alone.whole, alone.also = true, false, nil
		return []Cause{alone, c}
	}
	var out []Cause
	for _, c.at = range c.also {
		out = append(out, c)
	}
	return out
}

// named is the only one of the sorted hashes that begins with id.
func named(hashes []string, id string) (string, bool) {
	i, _ := slices.BinarySearch(hashes, id)
	if id == "" || i == len(hashes) || !strings.HasPrefix(hashes[i], id) {
		return "", false
	}
	return hashes[i], i+1 == len(hashes) || !strings.HasPrefix(hashes[i+1], id)
}

// maxSets bounds the sets of changed functions that an identifier is looked
// for in.
const maxSets = 1 << 11

// Standing are the identifiers that a difference in these changes could have,
// whether one was found or not: what was accepted is still there. It decides
// nothing about differences. Exhaustive says that all others stand for nothing
// in this change, however long one looks for differences.
func (c Changes) Standing(ids []string) (standing map[string]bool, exhaustive bool) {
	var hashes []string
	exhaustive = smallSets(c.names, maxSets, func(set []string) {
		for _, kind := range event.Kinds() {
			for _, beside := range besides() {
				for _, variant := range (Cause{Kind: kind, Changed: set, Beside: beside}).variants() {
					hashes = append(hashes, c.hashOf(variant))
				}
			}
		}
	})
	slices.Sort(hashes)
	standing = map[string]bool{}
	for _, id := range ids {
		_, standing[id] = named(hashes, id)
	}
	return standing, exhaustive
}

// besides are all that can stand in Cause.Beside.
func besides() [][]string {
	return [][]string{nil, {event.ComponentArgument}, {event.ComponentReceiver}, {event.ComponentArgument, event.ComponentReceiver}}
}

// smallSets visits the sets of names that are not empty, small ones first, and
// reports whether those were all.
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
