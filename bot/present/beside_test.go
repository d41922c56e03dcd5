package present

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// An error and the value that comes with it are one annotation, which tells both.
func TestAnnotationOfACall(t *testing.T) {
	t.Parallel()
	fails := finding("aaaaaaaa", event.Reached)
	fails.Input, fails.Component, fails.Kind = "F(1)", "error", event.KindValueToError
	fails.Base.Value, fails.Head.Value = "nil", `error("no")`
	value := finding("bbbbbbbb", event.Reached)
	value.Cluster, value.Representative, value.Input, value.Component = fails.Cluster, false, "F(1)", "result 1"
	list := Annotations(stream(nil, value, fails))
	if len(list) != 1 {
		t.Fatalf("%d annotations, want 1: %+v", len(list), list)
	}
	for _, want := range []string{"F(1) returns no error on base, the error no on head", "with it: its result 1 is 1 on base, 2 on head"} {
		if !strings.Contains(list[0].Message, want) {
			t.Errorf("%q is not in\n%s", want, list[0].Message)
		}
	}
}
