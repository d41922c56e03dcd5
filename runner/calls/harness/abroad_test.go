package harness

import (
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

type depot struct{ has []string }

func (d *depot) put(words ...string) int { d.has = append(d.has, words...); return len(d.has) }

// What a test calls of another module is made as it stands, and recorded: the receiver as a hole, the rest as it was given. What is no
// operation, and what is called while nothing is recorded, is the function itself.
func TestCallsAbroadAreRecorded(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	r.register(Operation{Name: "(*dep.Depot).Put", Method: true, Hook: -1}, (*depot).put)
	at := wire.Op(len(r.Ops) - 1)
	var d depot
	idle := &watcher{}
	if got := idle.called("(*dep.Depot).Put", d.put).(func(...string) int)("a"); got != 1 {
		t.Fatalf("%d", got)
	}
	w := &watcher{recorder: newRecorder(r, 0)}
	w.called("(*dep.Depot).Take", d.put).(func(...string) int)("b")
	if got := w.called("(*dep.Depot).Put", d.put).(func(...string) int)("c", "d"); got != 4 {
		t.Errorf("the call gives %d, want 4", got)
	}
	want := []wire.Record{{Hook: wire.Abroad, Op: at, Args: []wire.Lit{{Form: wire.Hole},
		{Form: wire.Seq, E: []wire.Lit{{Form: wire.Text, S: "c"}, {Form: wire.Text, S: "d"}}}}}}
	if got := w.recorder.records; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
