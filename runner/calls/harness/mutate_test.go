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
			w := mutator{r: NewRand(seed), plain: NewPlain(), stock: newStock(), roots: []reflect.Value{reflect.ValueOf(&x).Elem()}}
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
