// Package report renders recorded comparisons for people.
//
// The engine emits events (package event) and never prints; everything that is
// read by a person is made here, from an event.Stream: Terminal, Markdown, and
// Replay for one finding. Progress shows a comparison while it runs. Renderers
// run no process, read no file and no clock, so the same stream gives the same
// bytes, and each is tested from recorded streams.
//
// All renderers share one page (page.go), so that none can say something else: the
// verdict first; then what differs, one item for each cluster or for several that tell
// of one thing (event.Relating.Items, facets.go), what harms those who call the code most
// first, of that the strongest evidence, and of equal evidence what breaks a property of
// the code, each as a sentence about behaviour (claim.go, call.go,
// value.go) with how it is known (evidence.go), and behind it the two values side by
// side, the changed lines to blame (blame.go) and a test to paste; broken relations that
// no cluster shows (relation.go), and folded, those that are new, violated or kept;
// intended and accepted changes apart; then what was and what was not explored; the
// method last and small. "No difference" stands together with how much was tried.
// Nothing tried, a part that is missing or an end that is missing is never green,
// whatever the summary claims (headline.go).
//
// A call of our own is shown by its code: variables that are used once are put
// where they are used (inline.go), the call comes first in the sentence, and the
// other steps after it. A Go test that cannot be shown byte for byte is not
// offered for pasting; a command prints it (gotest.go).
//
// The Markdown is a comment on a pull request or a step summary: it must read
// well on a phone, in the dark, and in an e-mail where every fold is open
// (internal/screenshot shows that), so its tables have two columns, but for numbers and
// for the calls of a relation, and what is long is folded. Where there is a limit, whole sections are left out, evidence before
// claims (fit.go).
//
// Everything in a stream that came from the tested repository (names of tests
// and files, conditions, values, messages, inputs, Go tests, reasons) is hostile.
// On the page such text is marked as code, and only as code; control characters,
// bidirectional overrides and what else cannot be seen are spelled out
// (visible.go). The Markdown renderer (escape.go) then writes it in forms in which
// GitHub neither mentions nor links nor interprets anything; of a sentence that
// may quote such text, each word that is not plainly a word becomes code. The
// tests put hostile text into every field of every event by reflection.
//
// What it cannot do: it does not know what is worth changing, it ranks by rung,
// relations and kind only; long values are cut, around the first difference, so the
// whole of them is seen only with `isodelta replay`. A broken relation that no
// finding shows has no identifier that could be accepted.
package report
