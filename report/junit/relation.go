package junit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// maxKept is how many relations that are kept have a case each; of more, each
// package has one case that counts them.
const maxKept = 200

// addRelations adds a case for each relation to the suite of its package.
func addRelations(s *event.Stream, words Words, of func(pkg string) *suite) {
	kept := map[string]int{}
	n := 0
	for _, r := range s.Relations {
		if r.State == event.Kept {
			n++
		}
	}
	relating := s.Relating()
	for _, r := range slices.SortedFunc(slices.Values(s.Relations), event.CompareRelations) {
		if r.State == event.Kept && n > maxKept {
			kept[r.Package]++
			continue
		}
		x := of(r.Package)
		x.Cases = append(x.Cases, relationCase(r, x.Name, relating.Open(r), words))
	}
	for _, pkg := range sortedKeys(kept) {
		x := of(pkg)
		x.Cases = append(x.Cases, testcase{Name: fmt.Sprintf("%d relations are kept", kept[pkg]), Class: x.Name, Time: "0"})
	}
}

// relationCase fails for a relation that the change breaks, unless that is taken
// on, and for any to which the policy objects.
func relationCase(r event.Relation, class string, open bool, words Words) testcase {
	claim := words.Relation(r)
	x := testcase{Name: claim + " (" + words.Visible(r.ID) + ")", Class: class, Time: "0", File: words.Visible(r.File)}
	if r.Line > 0 {
		x.Line = strconv.Itoa(r.Line)
	}
	text := strings.Join(words.RelationEvidence(r), "\n")
	if open || words.Fails(r) {
		x.Failure = &problem{Message: claim, Type: "relation/" + words.Visible(string(r.State)), Text: text}
	} else {
		x.Output = text
	}
	return x
}

func sortedKeys(m map[string]int) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}
