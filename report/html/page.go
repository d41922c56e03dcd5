package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Report is what the page shows. All texts are shown as they are: whoever makes
// it has spelled out what cannot be seen.
type Report struct {
	Title    string
	Tone     string // of the verdict: alert, doubt or calm
	Verdict  Text
	Compared []Text
	Notes    []Text // what a reader must know before believing the verdict
	Groups   []Group
	Legend   []Text // explains the rungs
	// Relations are those that no cluster shows.
	Relations []Relations
	Adequacy  []Adequacy
	Parts     []Adequacy // of packages and functions
	MoreParts int        // further ones that are left out
	Explored  []Row
	Missed    []List // what was not explored
	Called    *List  // functions of calls of our own, nil for none
	Footer    []Text
	Graphs    []event.Graph
}

// Text is a line whose parts say what they are.
type Text []Span

// Span is a part of a Text. Code is text from the tested repository.
type Span struct {
	Text string
	Code bool
}

// Group is a section of clusters, such as the intended ones.
type Group struct {
	Title    string
	Clusters []Cluster
	Folded   bool
}

// Cluster is one behaviour change with its evidence.
type Cluster struct {
	ID     string // that replay and accept take
	Rung   string
	Kind   string // in words
	Claim  Text
	Sides  []Sides
	Rows   []Row
	Input  []string // lines of code, where the claim cannot hold them
	Replay string   // a command to paste
	Test   *Listing // nil for none
	// Relation is one that it breaks; nil for none.
	Relation *Relation
	// Functions names those whose lines and graphs concern it, as Graph does.
	Functions []string
	// Conditions are the IDs of the conditions that were negated.
	Conditions []string
	Members    []Member // all findings, the speaking one among them
}

// Relations is a section of metamorphic relations of one state.
type Relations struct {
	Title     string
	Relations []Relation
	Total     int
	More      int // of Total, left out
	Folded    bool
}

// Relation is a metamorphic relation and what has become of it.
type Relation struct {
	Claim  Text
	Rows   []Row
	Calls  []RelatedCall // of a group that fails
	Test   *Listing      // nil for none
	Proves string        // what Test does on base and head
}

// RelatedCall is a call of a group and what both versions gave, or a part of that.
type RelatedCall struct {
	Call []string // lines; of a part, the expression that leads to it
	Part bool     // of the call before it
	Sides
}

// Sides are lines of base beside lines of head.
type Sides struct {
	Label      string
	Base, Head []string
}

// Differ reports whether the two are not the same.
func (s Sides) Differ() bool { return !slices.Equal(s.Base, s.Head) }

// Adequacy is one number about the testing of both versions.
type Adequacy struct {
	Label             Text
	Base, Head, Delta string
}

// Row is a line with a label.
type Row struct {
	Label string
	Text  Text
}

// List is a titled list that may have been cut.
type List struct {
	Title Text
	Items []Text
	More  int // items left out
}

// Listing is a Go test. Exact says that it can be pasted as it stands, Foreign that
// strangers may have written it.
type Listing struct {
	Lines   []string
	File    Text
	Exact   bool
	Foreign bool
}

// Member is one finding of a cluster.
type Member struct {
	ID    string
	Where string // its test, or what it calls
	Claim Text
}

// maxNodes bounds what is drawn on one page, in nodes of both sides.
const maxNodes = 6000

//go:embed page.css
var style string

//go:embed page.html
var source string

// Write writes the page. It returns the error of w.
func Write(w io.Writer, r Report) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"lines": func(l []string) string { return strings.Join(l, "\n") },
		"plus":  func(a, b int) int { return a + b },
		"px":    func(f float64) string { return number(f) },
	}).Parse(source)
	if err != nil {
		return fmt.Errorf("template of the report: %w", err)
	}
	sum := sha256.Sum256([]byte(style))
	v := newView(r)
	v.Style = template.CSS(style)
	v.StyleHash = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	out := bufio.NewWriter(w)
	if err := t.Execute(out, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

// view is the page as the template takes it.
type view struct {
	Report
	Style     template.CSS
	StyleHash string
	Sections  []section
	Total     int // clusters
	Drawings  []drawing
	NotDrawn  []string // functions for which there was no room
	Marks     []mark
}

type section struct {
	Group
	Items []item
}

type item struct {
	Cluster
	Number int
	Hunks  []hunks
	Graphs []int // numbers of drawings
}

// hunks are one function's differing lines.
type hunks struct {
	Function string
	File     string
	Hunks    []hunk
}

type hunk struct {
	Range string
	Lines []hunkLine
}

type hunkLine struct {
	Class string
	Mark  string
	Text  string
}

func newView(r Report) view {
	v := view{Report: r, Marks: marks()}
	concerned := map[string][]int{} // clusters by condition
	number := 0
	for _, g := range r.Groups {
		for _, c := range g.Clusters {
			number++
			for _, id := range c.Conditions {
				concerned[id] = append(concerned[id], number)
			}
		}
	}
	left := maxNodes
	place := map[string][]int{} // drawings by function
	byName := map[string][]event.Graph{}
	for _, g := range inOrder(r) {
		byName[g.Function] = append(byName[g.Function], g)
		n := len(g.Base.Nodes) + len(g.Head.Nodes)
		if n == 0 {
			continue // its lines are shown all the same
		}
		if n > left {
			v.NotDrawn = append(v.NotDrawn, g.Function)
			continue
		}
		left -= n
		v.Drawings = append(v.Drawings, draw(len(v.Drawings)+1, g, concerned))
		place[g.Function] = append(place[g.Function], len(v.Drawings))
	}
	for _, g := range r.Groups {
		s := section{Group: g}
		for _, c := range g.Clusters {
			v.Total++
			i := item{Cluster: c, Number: v.Total}
			for _, name := range c.Functions {
				i.Graphs = append(i.Graphs, place[name]...)
				for _, g := range byName[name] {
					if h := hunksOf(g); len(h.Hunks) > 0 {
						i.Hunks = append(i.Hunks, h)
					}
				}
			}
			s.Items = append(s.Items, i)
		}
		v.Sections = append(v.Sections, s)
	}
	return v
}

// inOrder lists the graphs as the clusters name them, then the others.
func inOrder(r Report) []event.Graph {
	rank := map[string]int{}
	for _, g := range r.Groups {
		for _, c := range g.Clusters {
			for _, name := range c.Functions {
				if _, seen := rank[name]; !seen {
					rank[name] = len(rank)
				}
			}
		}
	}
	buckets := make([][]event.Graph, len(rank)+1)
	for _, g := range r.Graphs {
		i, ok := rank[g.Function]
		if !ok {
			i = len(rank)
		}
		buckets[i] = append(buckets[i], g)
	}
	var list []event.Graph
	for _, b := range buckets {
		list = append(list, b...)
	}
	return list
}

func hunksOf(g event.Graph) hunks {
	h := hunks{Function: g.Function, File: g.Head.File}
	if h.File == "" {
		h.File = g.Base.File
	}
	for _, x := range g.Hunks {
		one := hunk{Range: fmt.Sprintf("base %d, head %d", x.Base, x.Head)}
		for _, l := range x.Lines {
			if l == "" {
				continue
			}
			line := hunkLine{Mark: l[:1], Text: l[1:]}
			line.Class = map[byte]string{'-': "del", '+': "ins"}[l[0]]
			one.Lines = append(one.Lines, line)
		}
		h.Hunks = append(h.Hunks, one)
	}
	return h
}
