package harness

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// What another module's struct holds has to fit to what it hides, so that no field of it is
// changed alone. A request hides something, too, and is made to be filled in.
func TestMutatorLeavesWhatKeepsPromises(t *testing.T) {
	t.Parallel()
	changes := func(make func() any, same func(x any) bool) int {
		n := 0
		for seed := range uint64(200) {
			x := make()
			w := mutator{r: NewRand(seed), plain: NewPlain(), stock: newStock(), roots: []reflect.Value{reflect.ValueOf(&x).Elem()}, lacks: func(reflect.Type, string) bool { return false }}
			if w.mutate(); reflect.TypeOf(x) == reflect.TypeOf(make()) && !same(x) {
				n++
			}
		}
		return n
	}
	commit := func() any { return &object.Commit{Message: "a", TreeHash: [20]byte{1}} }
	if n := changes(commit, func(x any) bool { c := x.(*object.Commit); return c == nil || c.Message == "a" }); n > 0 {
		t.Errorf("the message of a commit was changed %d times", n)
	}
	request := func() any { return &http.Request{Method: "GET", Host: "a"} }
	if n := changes(request, func(x any) bool { r := x.(*http.Request); return r == nil || r.Method == "GET" }); n == 0 {
		t.Error("no request has another method")
	}
}

// A mutation is known by its number: where the other version's struct has a field less, the fields of both are changed by the same numbers.
func TestMutatorPassesOverFieldsOfOneVersion(t *testing.T) {
	t.Parallel()
	type small struct{ A, B int }
	type large struct {
		A, New, B int
	}
	none := func(reflect.Type, string) bool { return false }
	for seed := range uint64(200) {
		var was any = &small{1, 2}
		var is any = &large{1, 0, 2}
		base := mutator{r: NewRand(seed), plain: NewPlain(), stock: newStock(), roots: []reflect.Value{reflect.ValueOf(was).Elem()}, lacks: none}
		head := mutator{r: NewRand(seed), plain: NewPlain(), stock: newStock(), roots: []reflect.Value{reflect.ValueOf(is).Elem()},
			lacks: func(_ reflect.Type, field string) bool { return field == "New" }}
		base.mutate()
		head.mutate()
		if s, l := was.(*small), is.(*large); s.A != l.A || s.B != l.B || l.New != 0 {
			t.Fatalf("seed %d: %+v and %+v", seed, *s, *l)
		}
	}
}
