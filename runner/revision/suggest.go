package revision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/isodelta/isodelta/internal/spelling"
)

const suggestions = 3

// unknown makes the error for a name that nothing has.
func (r *Repository) unknown(expression, name string) error {
	e := &UnknownRevisionError{Revision: expression, Suggestions: near(name, r.names())}
	switch {
	case name == "":
		e.Reason = "it has no name before its first ~ or ^"
	case len(r.shallow) > 0:
		e.Hint = fmt.Sprintf("this clone is shallow and may lack it: run `git fetch origin %s` or `git fetch --unshallow --tags` "+
			"(actions/checkout: `fetch-depth: 0`)", name)
	case len(e.Suggestions) == 0:
		e.Hint = "run `git fetch --all --tags` if it was made elsewhere, and `git branch --all` to see the names"
	}
	return e
}

// names lists the short names of branches, remote branches and tags.
func (r *Repository) names() []string {
	refs, err := r.store.IterReferences()
	if err != nil {
		return nil
	}
	var names []string
	_ = refs.ForEach(func(ref *plumbing.Reference) error {
		if n := ref.Name(); (n.IsBranch() || n.IsTag() || n.IsRemote()) && !strings.HasSuffix(n.String(), "/HEAD") {
			names = append(names, n.Short())
		}
		return nil
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// near picks the names that a mistyped one may have meant, best first.
func near(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, n := range names {
		d := spelling.Distance(name, n)
		if strings.HasSuffix(n, "/"+name) {
			d = 0 // the branch exists on a remote only
		}
		if d <= max(1, len(name)/3) {
			found = append(found, candidate{n, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var best []string
	for _, c := range found[:min(len(found), suggestions)] {
		best = append(best, c.name)
	}
	return best
}
