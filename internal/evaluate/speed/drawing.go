package speed

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// stages are those that a drawing tells apart, in the order in which they begin, with
// their colours. What else there is, is short.
var stages = []struct{ name, title, colour string }{
	{event.PhaseLoad, "loading", "#8c959f"},
	{event.PhaseBuild, "building", "#d4a72c"},
	{event.PhaseBaseline, "tests", "#54aeff"},
	{event.PhaseCalls, "calls", "#2da44e"},
	{event.PhaseVariation, "varied tests", "#1b7c83"},
	{event.PhaseRelations, "relations", "#a475f9"},
	{event.PhaseNegation, "negation", "#cf222e"},
	{event.PhaseConfirm, "confirming", "#e16f24"},
	{event.PhaseTests, "tests to paste", "#633c01"},
	{event.PhaseBlame, "blame", "#953800"},
}

// Pixels.
const (
	labelWidth = 300
	barsWidth  = 620
	barHeight  = 14
	lineHeight = 20
	legend     = 40
)

// draw draws each comparison as one bar of its stages, as an SVG image. A triangle
// stands where the first difference was confirmed.
func draw(out io.Writer, subjects [][]row) error {
	var rows []row
	longest := 1.0
	for _, s := range subjects {
		for _, r := range s {
			rows = append(rows, r)
			longest = max(longest, r.seconds)
		}
	}
	scale := barsWidth / (math.Ceil(longest/10) * 10)
	height := legend + len(rows)*lineHeight + 2*lineHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		labelWidth+barsWidth+40, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	x := 10
	for _, s := range stages {
		fmt.Fprintf(&b, `<rect x="%d" y="10" width="10" height="10" fill="%s"/><text x="%d" y="19">%s</text>`+"\n", x, s.colour, x+14, s.title)
		x += 14 + 8*len(s.title) + 16
	}
	fmt.Fprintf(&b, `<path d="M%d 10 l10 0 l-5 10 z"/><text x="%d" y="19">first difference</text>`+"\n", x, x+14)
	for at := 0.0; at <= longest+10; at += 10 {
		if at*scale > barsWidth {
			break
		}
		px := labelWidth + at*scale
		fmt.Fprintf(&b, `<path d="M%.1f %d V%d" stroke="#d0d7de"/><text x="%.1f" y="%d" text-anchor="middle">%.0f s</text>`+"\n",
			px, legend, height-lineHeight-6, px, height-lineHeight+8, at)
	}
	for i, r := range rows {
		y := legend + i*lineHeight
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labelWidth-8, y+barHeight-3,
			escaped(fmt.Sprintf("%s, %s, %s", r.subject, r.state, r.binary)))
		px := float64(labelWidth)
		for _, s := range stages {
			w := r.phases[s.name] * scale
			if w > 0 {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", px, y, w, barHeight, s.colour)
			}
			px += w
		}
		if r.first > 0 {
			fmt.Fprintf(&b, `<path d="M%.1f %d l10 0 l-5 10 z"/>`+"\n", labelWidth+r.first*scale-5, y-2)
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
