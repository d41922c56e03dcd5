package harness

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

type noted struct {
	values []any
	of     *http.Request
}

type noteKey struct{}

func (n *noted) Note(ctx context.Context, r *http.Request) {
	n.values, n.of = append(n.values, ctx.Value(noteKey{})), r
}

// A function that calls back gives on the request that it is given, and the context of that; without a request
// there is an empty one. What it is not given, it cannot give on.
func TestGiven(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	r.requestType = reflect.TypeFor[*http.Request]()
	fn := reflect.ValueOf((*noted).Note)
	r.Ops = append(r.Ops, Operation{Name: "(*noted).Note", Expr: "Note", Method: true, Fn: fn,
		In: []reflect.Type{fn.Type().In(0), fn.Type().In(1), fn.Type().In(2)}})
	m := NewMachine(r)
	var n noted
	m.Vars = [][]reflect.Value{{reflect.ValueOf(&n)}}
	given := func(at int64) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialGiven, E: []wire.Lit{{Form: wire.Int, N: at}}}
	}
	back := func(args ...wire.Lit) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialBack, E: []wire.Lit{{Form: wire.Text, S: "(*noted).Note"}, wire.RefTo(0, 0), {Form: wire.Seq, E: args}}}
	}
	handler := reflect.TypeFor[http.HandlerFunc]()
	for _, request := range []*http.Request{
		httptest.NewRequestWithContext(context.WithValue(t.Context(), noteKey{}, "a"), "GET", "/", nil),
		nil,
	} {
		v, err := m.Build(back(given(1), given(1)), handler)
		if err != nil {
			t.Fatal(err)
		}
		v.Interface().(http.HandlerFunc)(nil, request)
		if n.of != request {
			t.Errorf("%v was given, and %v given on", request, n.of)
		}
	}
	if want := []any{"a", nil}; !reflect.DeepEqual(n.values, want) {
		t.Errorf("the contexts had %v, want %v", n.values, want)
	}
	for name, l := range map[string]wire.Lit{
		"another parameter":   back(given(0), given(1)),
		"no parameter":        back(given(2), given(1)),
		"outside of any call": given(1),
	} {
		if _, err := m.Build(l, handler); err == nil {
			t.Errorf("%s: a function is made", name)
		}
	}
}
