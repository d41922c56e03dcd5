package harness

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// silent is a value whose text says nothing, with state that nobody can see.
type silent struct {
	list   []span
	names  map[string]int
	next   *silent
	any    any
	secret []byte
	at     time.Time
	Call   func()
}

type span struct{ from, to int }

func (*silent) String() string { return "silent" }

// All that a value holds is told, unexported state included; a circle ends, and methods
// are not asked.
func TestLeaves(t *testing.T) {
	t.Parallel()
	circle := &silent{list: []span{{1, 2}}, names: map[string]int{"b": 2, "a": 1}, any: 1.5, secret: []byte("x"), at: time.Time{}, Call: func() {}}
	circle.next = circle
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, "=nil"},
		{3, "=3"},
		{"é", `="é"`},
		{[]int(nil), "=nil"},
		{[]int{7}, "len()=1 [0]=7"},
		{[2]bool{true}, "[0]=true [1]=false"},
		{map[int]string{}, "len()=0"},
		{map[span]int{{}: 1}, "len()=1 …="}, // such a key has no short text
		{struct{ E error }{}, ".E=nil"},
		{struct{ T time.Time }{time.Unix(0, 0)}, ".T=1970-01-01T00:00:00Z"},
		{struct{ V reflect.Value }{reflect.ValueOf(struct{}{})}, ""}, // not where its type lies in the binary
		{struct{ T reflect.Type }{reflect.TypeOf(3)}, ".T.(type)=*reflect.rtype"},
		{circle, `len(.list)=1 .list[0].from=1 .list[0].to=2 len(.names)=2 .names["a"]=1 .names["b"]=2 ` +
			`.any.(type)=float64 .any=1.5 .secret="x" .at.wall=0 .at.ext=0 .at.loc=nil .Call=not nil`},
		{strings.Repeat("x", 2*maxLeafText), `="` + strings.Repeat("x", maxLeafText-1) + "…"},
	} {
		var got []string
		for _, l := range leavesOf(reflect.ValueOf(test.value)) {
			got = append(got, l.Path+"="+l.Text)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%T:\ngot  %s\nwant %s", test.value, text, test.want)
		}
	}
	if n := len(leavesOf(reflect.ValueOf(make([]int, 2*wire.MaxLeaves)))); n != wire.MaxLeaves {
		t.Errorf("%d leaves of a long list", n)
	}
}
