package bump

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
)

// API is how the exported API of a module changed: one message each, sorted.
type API struct {
	Incompatible, Compatible []string
}

// APIOf compares two type-checked versions of a module.
func APIOf(base, head *load.Tree) API {
	r := apidiff.ModuleChanges(public(base), public(head))
	var api API
	for _, c := range r.Changes {
		if c.Compatible {
			api.Compatible = append(api.Compatible, c.Message)
		} else {
			api.Incompatible = append(api.Incompatible, c.Message)
		}
	}
	slices.Sort(api.Incompatible)
	slices.Sort(api.Compatible)
	return api
}

// public are the packages that others can import.
func public(t *load.Tree) *apidiff.Module {
	m := &apidiff.Module{Path: t.Module}
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.Types == nil || p.Code.Types.Name() == "main" || internal(p.Path) {
			continue
		}
		m.Packages = append(m.Packages, p.Code.Types)
	}
	slices.SortFunc(m.Packages, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return m
}

func internal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// Suggestion is the least level that something asks for, and why.
type Suggestion struct {
	Level  Level
	Reason string // without a full stop
}

// ByAPI is what the API asks for; before is the version before, "" where it is
// not known.
func ByAPI(api API, before string) Suggestion {
	switch i, c := len(api.Incompatible), len(api.Compatible); {
	case i > 0 && semver.Major(before) == "v0":
		return Suggestion{Minor, many(i, "incompatible change") + ", in v0"}
	case i > 0:
		return Suggestion{Major, many(i, "incompatible change")}
	case c > 0:
		return Suggestion{Minor, many(c, "addition")}
	}
	return Suggestion{Patch, "the API is the same"}
}

// ByBehaviour is what the differences found ask for.
func ByBehaviour(s *event.Stream) Suggestion {
	seen := map[string]map[string]bool{}
	add := func(what, cluster string) {
		if seen[what] == nil {
			seen[what] = map[string]bool{}
		}
		seen[what][cluster] = true
	}
	for _, f := range s.Findings {
		switch {
		case f.Intended:
			add("intended", f.Cluster)
		case f.Accepted != nil:
			add("accepted", f.Cluster)
		case f.Small(), f.News:
			add("small", f.Cluster)
		case f.Rung == event.Observed, f.Rung == event.Reached && f.Exported:
			add("open", f.Cluster)
		case f.Rung == event.Reached:
			add("in unexported functions alone", f.Cluster)
		default:
			add("behind forced branches alone", f.Cluster)
		}
	}
	relating := s.Relating()
	for _, r := range s.Relations {
		switch {
		case r.State == event.Broken && r.Accepted != nil:
			add("accepted", r.Module+"\x00"+r.ID)
		case !relating.Open(r):
		case r.Exported:
			add("broken", r.Module+"\x00"+r.ID)
		case relating.Alone(r):
			add("in unexported functions alone", r.Module+"\x00"+r.ID)
		}
	}
	var notes []string
	for _, what := range []string{"intended", "accepted", "small", "in unexported functions alone", "behind forced branches alone"} {
		if n := len(seen[what]); n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n, what))
		}
	}
	var open []string
	if n := len(seen["open"]); n > 0 {
		open = append(open, many(n, "open difference")+" in what exists")
	}
	if n := len(seen["broken"]); n > 0 {
		open = append(open, many(n, "broken relation"))
	}
	if len(open) > 0 {
		reason := strings.Join(open, " and ")
		if len(notes) > 0 {
			reason += "; besides " + strings.Join(notes, ", ")
		}
		return Suggestion{Minor, reason}
	}
	if len(notes) > 0 {
		return Suggestion{Patch, "differences are " + strings.Join(notes, ", ") + "; worth a note to users"}
	}
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		return Suggestion{None, "not known: " + strings.ReplaceAll(string(s.Verdict()), "-", " ")}
	}
	return Suggestion{Patch, "no difference found"}
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
