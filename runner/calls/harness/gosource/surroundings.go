//go:build go1.21

package gosource

import (
	"time"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// longestWait bounds what a test waits: sequences do not wait at all.
const longestWait = 2 * time.Second

// surround writes a step that changes what the next ones meet. What a test sets in the
// environment is put back when it ends.
func (w *writer) surround(op *harness.Operation, s wire.Step) {
	w.results = append(w.results, make([]string, len(op.Out)))
	for i := range op.Out {
		w.results[len(w.results)-1][i] = "_"
	}
	if len(s.Args) != len(op.In) {
		w.fail("%s has %d arguments", op.Name, len(s.Args))
		return
	}
	if op.Name == harness.Answered {
		w.lines = append(w.lines, statement{with: w.answered() + "(t, " + w.expr(s.Args[0], op.In[0], typed) + ")"})
		return
	}
	if op.Name == harness.GivenInput {
		w.lines = append(w.lines, statement{with: w.givenInput() + "(t, " + w.expr(s.Args[0], op.In[0], typed) + ")"})
		return
	}
	if op.Name == harness.StartedIn {
		w.lines = append(w.lines, statement{with: w.startedIn() + "(t, " + w.expr(s.Args[0], op.In[0], typed) + ")"})
		return
	}
	if op.Assigns {
		w.assign(op, s)
		return
	}
	if len(s.Args) == 1 {
		if d := time.Duration(s.Args[0].N); d > longestWait {
			w.fail("a test would wait %s", d)
		}
		w.lines = append(w.lines, statement{with: w.std("time") + "Sleep(" + w.expr(s.Args[0], op.In[0], typed) + ")"})
		return
	}
	w.lines = append(w.lines, statement{with: "t.Setenv(" + w.expr(s.Args[0], op.In[0], typed) + ", " + w.expr(s.Args[1], op.In[1], typed) + ")"})
}
