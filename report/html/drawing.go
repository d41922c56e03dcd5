package html

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

// drawing is one function's graphs, ready for the template.
type drawing struct {
	Number   int
	Function string
	Package  string
	Status   string
	Summary  string
	Sides    []side
	Wide     bool // the sides stand below each other
}

type side struct {
	Name   string // base or head
	Place  string // file:line
	About  string // for those who cannot see the picture
	Width  float64
	Height float64
	Fits   bool // may be shrunk to its column
	Edges  []shapeOfEdge
	Nodes  []shapeOfNode
}

// shapeOfEdge is an edge with its arrow head and label.
type shapeOfEdge struct {
	Class  string
	Title  string
	Line   string // path
	Arrow  string // path
	Label  string
	X, Y   float64 // of the label
	Anchor string
}

// shapeOfNode is a node's outline and what is in it.
type shapeOfNode struct {
	Class   string
	Title   string
	Outline string // path
	Lines   []textLine
	Number  string // of the pair, "" for none
	NX, NY  float64
	NW      float64
	Place   string // line number
	PX, PY  float64
	Ran     string // "", executed, explored or never
	RX, RY  float64
	Half    string // path that fills half of the circle
	Negated string // mark of a negated condition
	GX, GY  float64
	GW      float64
}

type textLine struct {
	X, Y, Width float64
	Text        string
}

// Measures of text in a drawing. The width of a line is fixed by textLength, so
// that no font makes it longer than its node.
const (
	letter     = 6.7 // width of a character
	smallText  = 5.8 // of a character of numbers and labels
	leading    = 15.0
	columns    = 30 // of text in a node
	textRows   = 4
	paddingX   = 13.0
	paddingY   = 8.0
	slant      = 9.0 // of a branch's ends
	circle     = 4.5
	labelShift = 4.0
	stub       = 12.0 // an edge leaves its node straight: there is its label
	fitting    = 720  // width of a picture that may be shrunk to its column
)

// draw makes both pictures of a function. Conditions that findings are about
// carry the numbers of their clusters.
func draw(number int, g event.Graph, concerned map[string][]int) drawing {
	d := drawing{Number: number, Function: g.Function, Package: g.Package, Status: g.Status}
	base, head := make([]pairing, len(g.Base.Nodes)), make([]pairing, len(g.Head.Nodes))
	for i, p := range g.Pairs {
		base[p.Base], head[p.Head] = pairing{i + 1, p.Match}, pairing{i + 1, p.Match}
	}
	parts := []string{}
	for _, s := range []struct {
		name  string
		flow  event.Flow
		pairs []pairing
	}{{"base", g.Base, base}, {"head", g.Head, head}} {
		if len(s.flow.Nodes) > 0 {
			d.Sides = append(d.Sides, drawSide(s.name, s.flow, s.pairs, concerned))
			d.Wide = d.Wide || !d.Sides[len(d.Sides)-1].Fits
			parts = append(parts, fmt.Sprintf("%s %s", s.name, plural(len(s.flow.Nodes), "node")))
		}
	}
	if len(d.Sides) == 2 {
		parts = append(parts, fmt.Sprintf("%d matched", len(g.Pairs)))
	}
	d.Summary = strings.Join(parts, ", ")
	return d
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// pairing is a node's counterpart: the number they share, from 1.
type pairing struct {
	number int
	match  string
}

func drawSide(name string, f event.Flow, pairs []pairing, concerned map[string][]int) side {
	boxes := make([]box, len(f.Nodes))
	sizes := make([]size, len(f.Nodes))
	for i, n := range f.Nodes {
		boxes[i] = newBox(n, pairs[i])
		sizes[i] = boxes[i].size
	}
	links := make([]link, len(f.Edges))
	for i, e := range f.Edges {
		links[i] = link{e.From, e.To}
	}
	l := arrange(sizes, links)
	s := side{Name: name, Place: event.Position(f.File, f.Line), Width: l.size.w, Height: l.size.h, Fits: l.size.w <= fitting}
	for i, e := range f.Edges {
		s.Edges = append(s.Edges, edgeShape(e, l.route[i]))
	}
	unmatched, negated := 0, 0
	for i, n := range f.Nodes {
		s.Nodes = append(s.Nodes, boxes[i].at(l.top[i], n, pairs[i], concerned[n.Condition]))
		if pairs[i].number == 0 {
			unmatched++
		}
		if n.Negated {
			negated++
		}
	}
	s.About = fmt.Sprintf("Control-flow graph on %s: %s, %d without a counterpart, %d negated.", name, plural(len(f.Nodes), "node"), unmatched, negated)
	return s
}

// box is a node before it has a place.
type box struct {
	size  size
	lines []string
	place string
}

func newBox(n event.Node, p pairing) box {
	b := box{lines: wrap(nodeText(n)), place: linesOf(n)}
	widest := 0
	for _, l := range b.lines {
		widest = max(widest, uniseg.StringWidth(l))
	}
	b.size.w = float64(widest)*letter + 2*paddingX
	if b.place != "" {
		b.size.w += float64(len(b.place))*smallText + 9
	}
	if n.Ran != "" {
		b.size.w += 2*circle + 7
	}
	if n.Kind == branchKind {
		b.size.w += 2 * slant
	}
	b.size.w = max(b.size.w, 96)
	b.size.h = float64(len(b.lines))*leading + 2*paddingY
	return b
}

const branchKind = "branch"

// nodeText is what a node says where the source has no words for it.
func nodeText(n event.Node) string {
	switch {
	case n.Text == "end" && n.Kind == "return":
		return "(end of function)"
	case n.Text != "":
		return n.Text
	}
	return "(" + n.Kind + ")"
}

func linesOf(n event.Node) string {
	switch {
	case n.Line <= 0:
		return ""
	case n.EndLine > n.Line && n.Kind == "block":
		return fmt.Sprintf("%d–%d", n.Line, n.EndLine)
	}
	return strconv.Itoa(n.Line)
}

// wrap breaks a node's text to its columns, with an ellipsis for what there is
// no room for.
func wrap(text string) []string {
	var rows []string
	for statement := range strings.SplitSeq(text, "\n") {
		for i := 0; statement != ""; i++ {
			row, rest := breakAt(statement, columns)
			if i > 0 {
				row, rest = breakAt(statement, columns-2)
				row = "\u00a0\u00a0" + row // a continued line is set in
			}
			if len(rows) == textRows || i == 2 {
				last := []rune(rows[len(rows)-1])
				rows[len(rows)-1] = string(last[:min(len(last), columns-1)]) + "…"
				if len(rows) == textRows {
					return rows
				}
				break
			}
			rows = append(rows, row)
			statement = rest
		}
	}
	if len(rows) == 0 {
		rows = []string{" "}
	}
	return rows
}

// breakAt cuts a text after the last space, bracket, comma or dot that fits, if
// it is not far back.
func breakAt(text string, columns int) (row, rest string) {
	width, after := 0, -1 // after: where a row may end
	state := -1
	for rest := text; rest != ""; {
		var cluster string
		var w int
		at := len(text) - len(rest)
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width+w > columns {
			if after > at/2 {
				return strings.TrimRight(text[:after], " "), text[after:]
			}
			if at == 0 {
				return cluster, rest
			}
			return text[:at], text[at:]
		}
		if strings.Contains(" .,({[", cluster) {
			after = at + len(cluster)
		}
		width += w
	}
	return text, ""
}

// at returns a node its place and its marks.
func (b box) at(top point, n event.Node, p pairing, clusters []int) shapeOfNode {
	left, right := top.x-b.size.w/2, top.x+b.size.w/2
	bottom := top.y + b.size.h
	s := shapeOfNode{Outline: outline(n.Kind, left, top.y, right, bottom)}
	class := []string{"node", n.Kind}
	said := []string{n.Kind}
	x := left + paddingX
	end := right - paddingX
	if n.Kind == branchKind {
		x, end = x+slant, end-slant
	}
	for i, l := range b.lines {
		s.Lines = append(s.Lines, textLine{x, top.y + paddingY + leading*float64(i) + 11, float64(uniseg.StringWidth(l)) * letter, l})
	}
	middle := (top.y + bottom) / 2
	if n.Ran != "" {
		s.Ran, s.RX, s.RY = n.Ran, end-circle+3, middle
		s.Half = fmt.Sprintf("M%s %sa%s %s 0 0 1 0 %sz", number(s.RX), number(middle-circle), number(circle), number(circle), number(2*circle))
		end -= 2*circle + 5
	}
	if b.place != "" {
		s.Place, s.PX, s.PY = b.place, end+1, middle+3.5
		said = append(said, "line "+b.place)
	}
	switch {
	case p.number == 0:
		class = append(class, "unmatched")
		said = append(said, "without a counterpart")
	case p.match == "resynchronised":
		class = append(class, "resynchronised")
		said = append(said, fmt.Sprintf("number %d on both sides, found again past an edit", p.number))
	default:
		class = append(class, "matched")
		said = append(said, fmt.Sprintf("number %d on both sides", p.number))
	}
	if p.number > 0 {
		s.Number = strconv.Itoa(p.number)
		s.NW = float64(len(s.Number))*smallText + 8
		s.NX, s.NY = left-2, top.y-7
	}
	if n.Negated {
		class = append(class, "negated")
		said = append(said, "negated")
		s.Negated = "negated"
		if len(clusters) > 0 {
			s.Negated += " for " + numbers(clusters)
		}
		s.GW = float64(len(s.Negated))*smallText + 10
		s.GX, s.GY = right-s.GW-slant, top.y-8
	}
	if n.Ran != "" {
		said = append(said, ranWords(n.Ran))
	}
	s.Class = strings.Join(class, " ")
	s.Title = nodeText(n) + "\n" + strings.Join(said, "; ")
	return s
}

// numbers lists at most three.
func numbers(list []int) string {
	var words []string
	for i, n := range list {
		if i == 3 {
			words = append(words, "…")
			break
		}
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

func ranWords(ran string) string {
	switch ran {
	case event.Executed:
		return "executed by the tests as they are"
	case event.Explored:
		return "executed only with a branch forced, or by a call of our own"
	}
	return "never executed"
}

// outline is the shape that tells what a node is.
func outline(kind string, l, t, r, b float64) string {
	n := number
	middle := n((t + b) / 2)
	switch kind {
	case branchKind: // pointed at both ends
		return fmt.Sprintf("M%s %sL%s %sH%sL%s %sL%s %sH%sz", n(l), middle, n(l+slant), n(t), n(r-slant), n(r), middle, n(r-slant), n(b), n(l+slant))
	case "entry", "return": // round
		c := n(min(13, (b-t)/2))
		return fmt.Sprintf("M%[1]s %[3]sH%[2]sa%[5]s %[5]s 0 0 1 %[5]s %[5]sV%[6]sa%[5]s %[5]s 0 0 1 -%[5]s %[5]sH%[1]sa%[5]s %[5]s 0 0 1 -%[5]s -%[5]sV%[7]sa%[5]s %[5]s 0 0 1 %[5]s -%[5]sz%[4]s",
			n(l+min(13, (b-t)/2)), n(r-min(13, (b-t)/2)), n(t), "", c, n(b-min(13, (b-t)/2)), n(t+min(13, (b-t)/2)))
	case "panic": // corners cut off
		const k = 8
		return fmt.Sprintf("M%s %sH%sL%s %sV%sL%s %sH%sL%s %sV%sz", n(l+k), n(t), n(r-k), n(r), n(t+k), n(b-k), n(r-k), n(b), n(l+k), n(l), n(b-k), n(t+k))
	}
	return fmt.Sprintf("M%s %sH%sV%sH%sz", n(l), n(t), n(r), n(b), n(l))
}

func edgeShape(e event.Edge, r route) shapeOfEdge {
	class := []string{"edge"}
	said := []string{}
	if e.Label != "" {
		said = append(said, "where "+e.Label)
	}
	if e.Negated {
		class = append(class, "negated")
		said = append(said, "forced")
	}
	if e.Ran != "" {
		class = append(class, e.Ran)
		said = append(said, ranWords(e.Ran))
	}
	s := shapeOfEdge{Class: strings.Join(class, " "), Title: strings.Join(said, "; "), Label: e.Label}
	start, end := r.points[0], r.points[len(r.points)-1]
	s.Line = curve(r)
	s.Arrow = fmt.Sprintf("M%s %sl-3.6 -7h7.2z", number(end.x), number(end.y))
	if e.Label != "" {
		// Labels of two edges that leave a node stand on the outer sides.
		s.X, s.Y, s.Anchor = start.x+labelShift, start.y+12, "start"
		if e.Label == "true" && r.points[1].x < start.x || e.Label == "false" && r.points[1].x <= start.x {
			s.X, s.Anchor = start.x-labelShift, "end"
		}
	}
	return s
}

// curve draws a route: in right angles, or bent between layers.
func curve(r route) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%s %s", number(r.points[0].x), number(r.points[0].y))
	for i := 1; i < len(r.points); i++ {
		p, q := r.points[i-1], r.points[i]
		y := q.y
		if i == len(r.points)-1 {
			y -= 5 // the arrow head covers the rest
		}
		if r.angular || p.x == q.x {
			fmt.Fprintf(&b, "L%s %s", number(q.x), number(y))
			continue
		}
		if i == 1 {
			p.y += stub
			fmt.Fprintf(&b, "V%s", number(p.y))
		}
		middle := (p.y + y) / 2
		fmt.Fprintf(&b, "C%s %s %s %s %s %s", number(p.x), number(middle), number(q.x), number(middle), number(q.x), number(y))
	}
	return b.String()
}

// number writes a length with at most one decimal.
func number(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// mark is a line of the legend: a small drawing and its words.
type mark struct {
	Node  *shapeOfNode
	Edge  *shapeOfEdge
	Words string
}

func marks() []mark {
	node := func(words string, n event.Node, p pairing) mark {
		n.Text = "x"
		if n.Kind == "" {
			n.Kind = "block"
		}
		b := newBox(n, p)
		b.lines, b.place, b.size = nil, "", size{54, 24}
		s := b.at(point{32, 12}, n, p, nil)
		s.Title = words
		if s.Negated != "" {
			s.Negated, s.GW, s.GX = "negated", 7*smallText+10, 20
		}
		return mark{Node: &s, Words: words}
	}
	edge := func(words string, e event.Edge) mark {
		s := edgeShape(e, route{[]point{{32, 4}, {32, 42}}, false})
		s.Title = words
		return mark{Edge: &s, Words: words}
	}
	matched := pairing{1, "strict"}
	return []mark{
		node("in both versions; the number is the same on both sides", event.Node{}, matched),
		node("in both, found again past an edit", event.Node{}, pairing{2, "resynchronised"}),
		node("in this version only: changed, added or deleted", event.Node{}, pairing{}),
		node("decides a branch", event.Node{Kind: "branch"}, matched),
		node("a condition that was negated, to take the branch that tests do not", event.Node{Kind: "branch", Negated: true}, matched),
		node("entry or return", event.Node{Kind: "return"}, matched),
		node("panic", event.Node{Kind: "panic"}, matched),
		node("executed by the tests as they are", event.Node{Ran: event.Executed}, matched),
		node("executed only with a branch forced, or by a call of our own", event.Node{Ran: event.Explored}, matched),
		node("never executed", event.Node{Ran: event.Never}, matched),
		edge("taken by the tests", event.Edge{Ran: event.Executed}),
		edge("taken by force or by a call of our own", event.Edge{Ran: event.Explored, Negated: true}),
		edge("never taken", event.Edge{Ran: event.Never}),
	}
}
