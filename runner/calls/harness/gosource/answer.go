//go:build go1.21

package gosource

import (
	"reflect"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// answer writes a function that answers requests.
func (w *writer) answer(l wire.Lit, t reflect.Type) string {
	a := harness.AnswerOf(l)
	names := []string{w.variable("w"), "_"}
	asked := func() string {
		names[1] = w.variable("req")
		return names[1]
	}
	text, status := "", ""
	if a.StatusFirst() {
		status = names[0] + ".WriteHeader(" + strconv.Itoa(a.Status) + "); "
	}
	switch a.How {
	case harness.AnswerAsked:
		r := asked()
		text = w.std("io") + "WriteString(" + names[0] + ", " + r + ".Method + \" \" + " + r + ".URL.String())"
	case harness.AnswerCopy:
		text = w.std("io") + "Copy(" + names[0] + ", " + asked() + ".Body)"
	case harness.AnswerReader:
		text = w.std("io") + "CopyN(" + names[0] + ", " + w.newReader(a.Body) + ", " + strconv.Itoa(len(a.Body)) + ")"
	case harness.AnswerFlush:
		write, f := w.std("io")+"WriteString("+names[0]+", "+w.text(a.Body)+")", w.variable("f")
		text = status + write + "; if " + f + ", ok := " + names[0] + ".(" + w.std("net/http") + "Flusher); ok { " + f + ".Flush() }; " + write
	case harness.AnswerField:
		text = names[0] + ".Header().Set(" + w.text(a.Name) + ", " + w.text(a.Value) + "); " + status + w.std("io") + "WriteString(" + names[0] + ", " + w.text(a.Body) + ")"
	case harness.AnswerTold:
		teller := w.Teller(a)
		if teller == nil {
			return w.fail("%s, which tells of a request, %v", a.Name, harness.ErrInvalid)
		}
		of := asked()
		if teller.OfContext() {
			of += ".Context()"
		}
		before, call := w.saying(teller, of)
		text = before + w.std("fmt") + "Fprint(" + names[0] + ", " + call + ")"
	case harness.AnswerPanic:
		names[0], text = "_", "panic("+w.text(a.Body)+")"
	case harness.AnswerBody:
		text = w.std("io") + "WriteString(" + names[0] + ", " + w.text(a.Body) + ")"
	default:
		text = names[0] + ".WriteHeader(" + strconv.Itoa(a.Status) + ")"
		if a.Body != "" {
			text += "; " + w.std("io") + "WriteString(" + names[0] + ", " + w.text(a.Body) + ")"
		}
	}
	return "func" + w.signature(t, names) + " { " + text + " }"
}
