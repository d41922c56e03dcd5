package confirm

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func TestUnsettle(t *testing.T) {
	t.Parallel()
	base := event.Finding{Rung: event.Observed, Suite: "base", Package: "p", Test: "TestOne", Intended: true,
		Base: event.Result{Outcome: event.Pass}, Head: event.Result{Outcome: event.Fail}}
	head, other, passes := base, base, base
	head.Suite, head.Intended = "head", false
	other.Test = "TestOther"
	passes.Suite, passes.Base, passes.Head = "head", base.Head, base.Base
	for _, c := range []struct {
		what string
		list []event.Finding
		want bool
	}{
		{"head's form fails, too", []event.Finding{base, head}, false},
		{"head's form passes", []event.Finding{base, passes}, true},
		{"another test fails", []event.Finding{other, head}, true},
	} {
		if got := Unsettle(c.list)[0].Intended; got != c.want {
			t.Errorf("%s: intended is %t, want %t", c.what, got, c.want)
		}
	}
}
