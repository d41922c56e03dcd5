package diff

import (
	"crypto/sha256"
	"encoding/hex"
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
		parts := []string{string(f.Rung), f.Package, f.Function, f.Component, f.Kind, f.Input}
		if f.Input == "" { // recorded within a test, and not to be written as code
			parts = append(parts, f.Suite, f.Test, f.Entry, strconv.Itoa(f.Mutation))
		}
		return digest(parts...)
	}
	parts := []string{string(f.Rung), f.Suite, f.Package, f.Test}
	for _, n := range f.Negations {
		parts = append(parts, n.ID)
	}
	return digest(parts...)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// Group gives every finding its cluster, chooses the representatives, and
// sorts: clusters by their representative, findings within a cluster by
// strength and simplicity.
func Group(findings []event.Finding) []event.Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Cluster = clusterOf(out[i])
		out[i].Representative = false
	}
	slices.SortStableFunc(out, event.CompareFindings)
	joinReached(out)
	first := map[string]event.Finding{}
	for i := range out {
		if _, ok := first[out[i].Cluster]; !ok {
			out[i].Representative = true
			first[out[i].Cluster] = out[i]
		}
	}
	slices.SortStableFunc(out, func(a, b event.Finding) int {
		if a.Cluster == b.Cluster {
			return event.CompareFindings(a, b)
		}
		return event.CompareFindings(first[a.Cluster], first[b.Cluster])
	})
	return out
}

// joinReached puts a reached finding into the cluster of an earlier one of the
// same kind if it executed no changed function besides that one's, so that the
// same change can explain both, or if the same function shows it. findings are sorted; the first of a cluster decides.
func joinReached(findings []event.Finding) {
	var leaders []event.Finding
	for i, f := range findings {
		if f.Rung != event.Reached || len(f.Changed) == 0 {
			continue
		}
		k := slices.IndexFunc(leaders, func(l event.Finding) bool {
			return l.Kind == f.Kind && l.Intended == f.Intended && l.Base.Outcome == f.Base.Outcome && l.Head.Outcome == f.Head.Outcome &&
				(l.Package == f.Package && l.Function == f.Function || covers(l.Changed, f.Changed))
		})
		if k < 0 {
			leaders = append(leaders, f)
			continue
		}
		findings[i].Cluster = leaders[k].Cluster
	}
}

// covers says whether all names are in the list.
func covers(list, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(list, n) })
}

func clusterOf(f event.Finding) string {
	intended := ""
	if f.Intended {
		intended = "intended"
	}
	parts := []string{string(f.Rung), intended, f.Kind, string(f.Base.Outcome), string(f.Head.Outcome)}
	if f.Rung == event.Reached && len(f.Changed) == 0 {
		// Which changed function ran is not known, so what was called stands for it.
		return digest(append(parts, "", f.Package, f.Function, f.Component)...)
	}
	return digest(append(parts, f.Changed...)...)
}
