package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/isodelta/isodelta/report/event"
)

// TerminalOptions say what the terminal can do.
type TerminalOptions struct {
	Color bool // write ANSI colours
	Width int  // columns; 0 means 80, and 60 is the least
	// Short leaves out what does not fit on a screen or two.
	Short bool
	// Whole is the command that shows what Short leaves out; "" for none.
	Whole string
}

// defaultWidth is used where the width is not known.
const (
	defaultWidth  = 80
	smallestWidth = 60
	largestWidth  = 120 // longer lines are hard to read
)

// Terminal writes the report for a terminal. It returns the error of w.
func Terminal(w io.Writer, s *event.Stream, opt TerminalOptions) error {
	t := newTerminal(opt)
	if p := newPage(s); opt.Short {
		t.short(p, opt.Whole)
	} else {
		t.page(p)
	}
	_, err := io.WriteString(w, t.text())
	return err
}

// terminal collects lines.
type terminal struct {
	ink
	width  int
	indent int // of rows
	lines  []string
}

func newTerminal(opt TerminalOptions) *terminal {
	width := opt.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &terminal{ink: ink(opt.Color), width: min(max(width, smallestWidth), largestWidth), indent: 4}
}

func (t *terminal) text() string { return strings.Join(t.lines, "\n") + "\n" }

func (t *terminal) line(s string) { t.lines = append(t.lines, strings.TrimRight(s, " ")) }

// block writes a phrase behind a label; further lines are indented as far.
func (t *terminal) block(indent int, label string, labelWidth int, p phrase, base ...string) {
	left := indent + labelWidth
	lines := t.wrap(p, t.width-left, 0, base...)
	for i, l := range lines {
		head := strings.Repeat(" ", left)
		if i == 0 {
			head = strings.Repeat(" ", indent) + t.paint(label, dim) + strings.Repeat(" ", max(0, labelWidth-len(label)))
		}
		t.line(head + l)
	}
}

// title begins a section.
func (t *terminal) title(s string) {
	t.line("")
	t.line(t.paint(s, bold))
}

// heading says what was compared, what came of it, and at most so many of the notes.
func (t *terminal) heading(p page, notes int) {
	t.block(0, "", 0, p.verdict, bold, map[tone]string{alert: red, doubt: yellow, calm: green}[p.tone])
	if p.settings != nil {
		t.block(0, "", 0, p.settings, yellow)
	}
	for _, c := range p.compared {
		t.block(0, "", 0, c.line())
	}
	for _, u := range p.upgrades {
		t.block(0, "", 0, u.line())
	}
	if p.unnamed > 0 {
		t.block(0, "", 0, words("and "+count(p.unnamed, "more dependency")))
	}
	for _, n := range p.notes[:min(len(p.notes), notes)] {
		t.block(0, "", 0, n, yellow)
	}
}

func (t *terminal) page(p page) {
	t.heading(p, len(p.notes))
	full := p.open[:min(len(p.open), detailed)]
	for i, c := range full {
		t.line("")
		t.cluster(i+1, c, p.blame)
	}
	t.relations(p)
	if rest := p.open[len(full):]; len(rest) > 0 {
		t.title("The others in short")
		t.brief(rest, detailed)
	}
	if len(p.small) > 0 {
		t.title(smallTitle)
		t.brief(p.small, 0)
	}
	if len(p.intended) > 0 {
		t.title(intendedTitle)
		t.brief(p.intended, 0)
	}
	if len(p.accepted) > 0 {
		t.title("Accepted")
		t.brief(p.accepted, 0)
	}
	t.legend(p.all())
	t.measures(p)
	if len(p.explored) > 0 {
		t.title("What was explored")
		for _, r := range p.explored {
			t.block(2, r.label, labelWidth, r.text)
		}
	}
	gaps := p.missed
	if len(p.uncalled.items) > 0 {
		gaps = append([]list{p.uncalled}, gaps...)
	}
	if len(gaps) > 0 {
		t.title("What was not")
		for _, l := range gaps {
			t.block(2, "", 0, l.title)
			for _, i := range l.items {
				t.block(4, "", 0, i)
			}
			if l.more > 0 {
				t.block(4, "", 0, words("and "+number(l.more)+" more"))
			}
		}
	}
	if len(p.footer) > 0 {
		t.line("")
		t.block(0, "", 0, dots(p.footer), dim)
	}
}

// noValue stands for a value that a version did not give.
func noValue(f event.Finding, r event.Result) string {
	switch {
	case breaks(r):
		return "(" + breaking(r) + ")"
	case f.Rung == event.Reached:
		return nothing
	}
	return event.ValueNotReached // by the test code
}

const labelWidth = 12 // of labels with the spaces after them

// brief returns each cluster a line, numbered after from.
func (t *terminal) brief(list []cluster, from int) {
	for i, c := range list {
		if i == brief {
			t.block(2, "", 4, words("and "+number(len(list)-brief)+" more"))
			break
		}
		t.inBrief(from+i+1, c)
	}
}

func (t *terminal) inBrief(n int, c cluster) {
	t.block(2, strconv.Itoa(n), 4, claim(c.representative))
	if p := breaksProperty(c); p != nil {
		t.block(2, "", 4, p)
	}
	t.block(2, "", 4, say(proven(c), more(c), meantInShort(c), facetsInShort(c), acceptance(c.representative), " · ", named(shorten(c.representative.Cluster, valueLength))), dim)
}

// claimed says what differs, how that is known, and what property it breaks.
func (t *terminal) claimed(n int, c cluster) {
	t.block(0, strconv.Itoa(n), 4, claim(c.representative), bold)
	t.block(4, "", 0, proven(c), yellow)
	if p := whenDiffers(c.representative.When); p != nil {
		t.block(4, "", 0, p)
	}
	if p := bearing(c); p != nil {
		t.block(4, "", 0, p)
	}
	t.line("")
}

// cluster shows one in full.
func (t *terminal) cluster(n int, c cluster, b blame) {
	f := c.representative
	t.claimed(n, c)
	t.input(f, inputHeight)
	t.sides(f)
	if f.Rung == event.Reached {
		t.call(f)
	} else {
		t.block(4, "test", labelWidth, testOf(f))
	}
	t.facts(c, b, listed)
	if len(c.beside) > 0 {
		t.block(4, "with it", labelWidth, beside(c.beside))
	}
	if c.size > 1 {
		t.block(4, "also", labelWidth, also(c))
	}
	t.facets(c, shownFacets)
	if p := acceptedBy(f); p != nil {
		t.block(4, "accepted", labelWidth, p)
	}
	if c.shown != nil {
		t.block(4, "relation", labelWidth, say(quoted(shorten(c.shown.Relation, relationLength)), ", ", aboutRelation(*c.shown), "; ", checked(*c.shown)))
		t.counterexample(*c.shown)
	}
	t.block(4, "replay", labelWidth, say(span{replayCommand(f.Cluster), prose}))
	t.goTest(f)
	switch {
	case c.shown == nil || c.shown.GoTest == "":
	case f.GoTest == "":
		t.relationTest(*c.shown)
	default:
		t.block(4, "", labelWidth, say(span{replayCommand(c.shown.ID) + " --test", prose}, " prints one of the relation"))
	}
}

// facets tells what else there is of one, at most so many in a sentence.
func (t *terminal) facets(c cluster, most int) {
	label := "besides"
	for _, p := range facets(c, most) {
		t.block(4, label, labelWidth, p)
		label = ""
	}
}

// facts tells what was forced, whether it is meant, what of the value differs, and which
// changed functions ran, at most so many by name.
func (t *terminal) facts(c cluster, b blame, most int) {
	f := c.representative
	for _, neg := range f.Negations {
		t.block(4, "forced", labelWidth, forced(neg))
	}
	if p := perhapsMeant(c); p != nil {
		t.block(4, "meant?", labelWidth, p)
	}
	if p := given(f, maxGiven); p != nil {
		t.block(4, "given", labelWidth, p)
	}
	if p := inParts(f); p != nil {
		t.block(4, "in it", labelWidth, p)
	}
	if p := signed(f); p != nil {
		t.block(4, "signature", labelWidth, p)
	}
	if p := b.through(f); p != nil {
		t.block(4, "through", labelWidth, p)
	}
	if own := b.itself(f); len(own) > 0 {
		t.block(4, "changed", labelWidth, say(names(functionNames(own), most), " ran", b.places(f)))
	}
}

// maxGiven bounds the parts that a terminal shows of what a call was given.
const maxGiven = 8

// inputHeight is how much of an input is shown, in lines.
const inputHeight = 20

// input shows the code of a call of our own where the sentence could not.
func (t *terminal) input(f event.Finding, height int) {
	lines := inputLines(f, height)
	if len(lines) == 0 || len(lines) == 1 && len([]rune(lines[0])) <= inputLength {
		return
	}
	for i, l := range folded(lines, t.width-t.indent-labelWidth) {
		label := ""
		if i == 0 {
			label = "input"
		}
		t.line(strings.Repeat(" ", t.indent) + t.paint(label, dim) + strings.Repeat(" ", labelWidth-len(label)) + t.paint(l, cyan))
	}
	t.line("")
}

// call says what was called, and how that was found.
func (t *terminal) call(f event.Finding) {
	t.block(t.indent, "called", labelWidth, target(f))
	if t.indent == 0 || f.Entry != "" { // else it stands under the claim
		t.block(t.indent, "found", labelWidth, found(f))
	}
	if len(f.Merged) > 0 {
		t.block(t.indent, "", labelWidth, negating(f))
	}
}

// goTest shows a test that can be copied as it stands, and names the command
// for any other.
func (t *terminal) goTest(f event.Finding) {
	if f.GoTest == "" {
		return
	}
	l := listingOf(f.GoTest, testTerminal).spaced()
	margin := t.indent + 4
	fits := func(line string) bool { return uniseg.StringWidth(line) <= t.width-margin }
	if !l.exact || !all(l.lines, fits) {
		t.block(t.indent, "go test", labelWidth, say(span{replayCommand(f.Cluster) + " --test", prose}, " prints it; it passes on base, fails on head, and goes to ", fileOf(f)))
		return
	}
	t.block(t.indent, "go test", labelWidth, say("passes on base, fails on head; put it into ", fileOf(f), ":"))
	t.line("")
	for _, line := range l.lines {
		t.line(strings.Repeat(" ", margin) + line)
	}
}

func all(lines []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return !ok(l) })
}

// sides shows the two results next to each other.
func (t *terminal) sides(f event.Finding) {
	base, head := f.Base, f.Head
	t.row("", []string{"base"}, []string{"head"}, dim, dim)
	x, y := valueLines(base.Value, head.Value, noValue(f, base), noValue(f, head))
	t.row("value", x, y, red, green)
	t.row("outcome", []string{ended(f, base)}, []string{ended(f, head)})
	if f.Varied != nil && base.Value != head.Value {
		return // the messages are of expectations that do not fit
	}
	x, y = valueLines(base.Message, head.Message, "", "")
	t.row("message", x, y)
}

// ended is the outcome in words: a test passes, a call returns.
func ended(f event.Finding, r event.Result) string {
	if f.Rung == event.Reached && r.Outcome == event.Pass {
		return "returns"
	}
	return outcome(r.Outcome)
}

// row writes two columns behind a label; colours are of the left and the right.
func (t *terminal) row(label string, left, right []string, colours ...string) {
	const gap = 2
	column := (t.width - t.indent - labelWidth - gap) / 2
	l, r := folded(left, column), folded(right, column)
	for i := range max(len(l), len(r)) {
		head := strings.Repeat(" ", t.indent) + t.paint(label, dim) + strings.Repeat(" ", labelWidth-len(label))
		if i > 0 {
			head = strings.Repeat(" ", t.indent+labelWidth)
		}
		a, b := at(l, i), at(r, i)
		fill := strings.Repeat(" ", max(0, column+gap-uniseg.StringWidth(a)))
		if len(colours) == 2 {
			a, b = t.paint(a, colours[0]), t.paint(b, colours[1])
		}
		t.line(head + a + fill + b)
	}
}

// folded breaks lines at the column's width.
func folded(lines []string, width int) []string {
	var out []string
	for _, l := range lines {
		out = append(out, foldLine(l, width)...)
	}
	return out
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// legend explains the rungs that the page uses.
func (t *terminal) legend(list []cluster) {
	lines := legend(list)
	if len(lines) > 0 {
		t.line("")
	}
	for _, l := range lines {
		t.block(0, "", 0, l, dim)
	}
}
