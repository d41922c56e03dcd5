package diff

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// ID identifies a finding by names and texts alone, so that it survives moved
// lines: eight hexadecimal digits. How a call was found does not matter, only
// what is called with what, and what of it differs.
func ID(f event.Finding) string {
	if f.Rung == event.Reached {
		parts := []string{string(f.Rung), f.Package, f.Function, f.Component, string(f.Kind), f.Input}
		if f.Input == "" { // recorded within a test, and not to be written as code
			parts = append(parts, f.Suite, f.Test, f.Entry, strconv.Itoa(f.Mutation))
		}
		return digest(parts...)
	}
	parts := []string{string(f.Rung), f.Suite, f.Package, f.Test}
	for _, n := range f.Negations {
		parts = append(parts, n.ID)
	}
	if v := f.Varied; v != nil {
		parts = append(parts, v.Was, strconv.Itoa(v.Ordinal), v.Is)
	}
	return digest(parts...)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// Group returns every finding its cluster, chooses the representatives, and
// sorts: clusters by their representative, findings within a cluster by
// strength and simplicity, those that follow another behind it. Relations are not
// known here; reports order the clusters of a rung by them, too, see event.Relating. What head mends
// on purpose is marked as intended.
func Group(findings []event.Finding, changes Changes) []event.Finding {
	grouped := group(findings, changes)
	if mended(grouped) {
		return group(grouped, changes)
	}
	return grouped
}

func group(findings []event.Finding, changes Changes) []event.Finding {
	out := slices.Clone(findings)
	slices.SortStableFunc(out, event.CompareFindings)
	leaders := event.Leaders(out)
	for i, l := range leaders {
		out[i].Cluster = likeness(out[l])
		out[i].Representative = false
	}
	joinObserved(out, leaders)
	joinReached(out, leaders, changes)
	nameClusters(out, leaders, changes)
	first := map[string]int{}
	told := map[string][]int{}
	for i, f := range out {
		if leaders[i] != i {
			continue
		}
		if _, ok := first[f.Cluster]; !ok {
			first[f.Cluster] = i
		}
		told[f.Cluster] = append(told[f.Cluster], i)
	}
	for _, places := range told {
		out[innermost(out, places)].Representative = true
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	// out is sorted by CompareFindings, so that places stand for that order.
	behind := func(i int) int {
		if leaders[i] == i {
			return -1
		}
		return i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(first[out[a].Cluster], first[out[b].Cluster]),
			cmp.Compare(leaders[a], leaders[b]),
			cmp.Compare(behind(a), behind(b)),
		)
	})
	sorted := make([]event.Finding, len(out))
	for i, k := range order {
		sorted[i] = out[k]
	}
	return sorted
}

// joinReached puts a reached finding into the cluster of an earlier one of the
// same kind, seen as early, if it executed no changed function besides that one's, or of an
// upgraded dependency nothing besides, so that the same change can explain both, or if the same function shows it; and into that of an
// earlier one whose function its input calls, or through which it shows the same. A forced
// one goes there that says no more than an earlier one for which an input is known, and what a
// test sees, or fails for, goes to the call that shows it, or to another test that fails with it. findings
// are sorted; the first of a cluster decides, and what follows another goes with it.
// Streams that others wrote are grouped, too, so there is a bound to what is compared
// with each other.
func joinReached(findings []event.Finding, leaders []int, changes Changes) {
	h := heads{of: map[string][]int{}}
	for i, f := range findings {
		if f.Rung == event.Observed || leaders[i] != i {
			continue
		}
		now := changes.seenOf(f)
		switch head := h.first(now, func(head *seen) bool { return joins(now, head) }); {
		case head != nil:
			findings[i].Cluster = head.Cluster
			if sameEdits(now, head) {
				// What only it explains, as the code that it runs, goes where it goes.
				now.Cluster = head.Cluster
				h.add(now)
			}
		case f.Rung == event.Reached:
			h.add(now)
		}
	}
	tests := heads{of: map[string][]int{}}
	for i, f := range findings {
		if f.Rung != event.Observed {
			continue
		}
		now := changes.seenOf(f)
		if call := h.first(now, func(head *seen) bool { return seesOnly(now, head) || failsFor(now, head) }); call != nil {
			findings[i].Cluster = call.Cluster
		} else if test := tests.first(now, func(test *seen) bool { return failTogether(now, test) }); test != nil {
			findings[i].Cluster = test.Cluster
		} else if leaders[i] == i && !now.small {
			tests.add(now)
		}
	}
	for i, f := range findings {
		if f.Rung != event.Forced || leaders[i] != i {
			continue
		}
		now := changes.seenOf(f)
		if test := tests.first(now, func(test *seen) bool { return forcedBeside(f, test.Finding) }); test != nil {
			findings[i].Cluster = test.Cluster
		}
	}
	for i, l := range leaders {
		findings[i].Cluster = findings[l].Cluster
	}
}

// nameClusters replaces the names of clusters by identifiers: those of the causes
// that explain all of a cluster's findings, with the evidence.
func nameClusters(findings []event.Finding, leaders []int, changes Changes) {
	causes := map[string]string{}
	for cluster, cause := range causesOf(findings, leaders) {
		causes[cluster] = changes.hashOf(cause)
	}
	ids := map[string]string{}
	for i, f := range findings {
		if ids[f.Cluster] == "" { // all findings of one likeness have the same evidence
			ids[f.Cluster] = identify(findings[leaders[i]], causes[f.Cluster])
		}
	}
	short := shortest(slices.Sorted(maps.Values(ids)))
	for i, f := range findings {
		findings[i].Cause, findings[i].Cluster = causes[f.Cluster], short[ids[f.Cluster]]
	}
}

// minDigits is how much of an identifier people see.
const minDigits = 8

// shortest cuts each of the sorted identifiers to the first digits that tell it
// from the others.
func shortest(ids []string) map[string]string {
	ids = slices.Compact(ids)
	digits := make([]int, len(ids))
	for i := range ids {
		digits[i] = max(digits[i], minDigits)
		if i+1 == len(ids) {
			break
		}
		same := 0
		for ids[i][same] == ids[i+1][same] {
			same++
		}
		digits[i], digits[i+1] = max(digits[i], same+1), same+1
	}
	short := map[string]string{}
	for i, id := range ids {
		short[id] = id[:digits[i]]
	}
	return short
}

// covers reports whether all names are in the list.
func covers(list, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(list, n) })
}

// likeness is the same for findings that one change explains in one way: what
// clusters are made of at first.
func likeness(f event.Finding) string {
	cause := causeOf(f)
	parts := []string{string(f.Rung), strconv.FormatBool(f.Intended), strconv.FormatBool(f.Open()),
		string(f.Base.Outcome), string(f.Head.Outcome), string(cause.Kind), afterwards(f), string(f.Misuse), cause.at}
	return strings.Join(append(parts, cause.Changed...), "\x00")
}
