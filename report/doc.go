// Package report renders recorded comparisons for people.
//
// The engine emits events (package event) and never prints; everything that is
// read by a person is made here, from an event.Stream: Terminal, Markdown, and
// Replay for one finding. Progress shows a comparison while it runs. Renderers
// run no process, read no file and no clock, so the same stream gives the same
// bytes, and each is tested from recorded streams.
//
// All renderers share one page (page.go), so that none can say something else:
// the verdict first; then what differs, one item for each cluster, the strongest
// evidence first, each as a sentence about behaviour with the two values side by
// side; intended changes apart; then what was and what was not explored; the
// method last and small. "No difference" stands together with how much was
// tried, and nothing tried is never green, whatever the summary claims.
//
// A call of our own is shown by its code: in the sentence what of it is short,
// then the whole of it with what it gives on each side, and a Go test to paste
// where there is one (gotest.go). A test that cannot be shown byte for byte is
// not offered for pasting; a command prints it.
//
// Everything in a stream that came from the tested repository (names of tests
// and files, conditions, values, messages, inputs, Go tests) is hostile. On the page such text is
// marked as code, and only as code; control characters, bidirectional overrides
// and what else cannot be seen are spelled out (visible.go). The Markdown
// renderer (escape.go) then writes it in forms in which GitHub neither mentions
// nor links nor interprets anything.
//
// What it cannot do: it does not know what is worth changing, it ranks by rung
// and kind only; long values are cut, around the first difference, so the whole
// of them is seen only with `isodelta replay`.
package report
