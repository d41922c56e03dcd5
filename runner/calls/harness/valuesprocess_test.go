package harness_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

const valuesModule = `
-- go.mod --
module example.com/m

go 1.16
-- a.go --
package m

import "errors"

type Account struct {
	Owner string
	cents int
}

func (a *Account) Withdraw(cents int) (left int, err error) {
	if cents > a.cents {
		return a.cents, errors.New("too much")
	}
	a.cents -= cents
	return a.cents, nil
}

func Open(owner string, cents int) *Account { return &Account{owner, cents} }
-- a_test.go --
package m
-- register_test.go --
package m

import (
	"isodeltaprobe/harness"
	"testing"
)

func TestIsodeltaCalls(*testing.T) { harness.Serve(nil) }

func init() {
	harness.Func(harness.Operation{Name: "Open", Hook: -1}, Open)
	harness.Func(harness.Operation{Name: "Withdraw", Method: true, Hook: -1}, (*Account).Withdraw)
}
`

// A process of a module of an old language answers with values, and a condition of the
// instrumented code is negated where that is asked for, and only there.
func TestProcessAnswersWithValues(t *testing.T) {
	t.Parallel()
	b := setUp(t, valuesModule)
	d := b.lab.Dialog(execute.Target{Binary: b.binary, Dir: b.tree.Dir, Test: "TestIsodeltaCalls", Size: b.size})
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ask := func(kind byte, payload []byte) []byte {
		t.Helper()
		answer, err := d.Ask(t.Context(), kind, payload, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	setup, err := json.Marshal(wire.Setup{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ask(wire.FrameSetup, setup)
	number := func(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	p := wire.Sequence{{Op: wire.OpAt(0), Args: []wire.Lit{text("me"), number(50)}}, {Op: wire.OpAt(1), Args: []wire.Lit{wire.RefTo(0, 0), number(20)}}}
	row := func(branch int, left int64, err wire.Lit) wire.Valued {
		account := wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{text("me"), number(left)}}}}
		return wire.Valued{Ran: true, Branches: []int{branch}, Args: []wire.Lit{account, {Form: wire.Hole}}, Results: []wire.Lit{number(left), err}}
	}
	as, negated := row(0, 30, wire.Lit{}), row(1, 50, text("too much"))
	for _, c := range []struct {
		negate []int
		want   wire.Valued
	}{{nil, as}, {[]int{0}, negated}, {[]int{1}, as}, {nil, as}} {
		got, err := wire.DecodeValued(ask(wire.FrameValues, wire.Values{Negate: c.negate, Sequences: []wire.Sequence{p}}.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]wire.Valued{c.want}, got); diff != "" {
			t.Errorf("%v negated (-want +got):\n%s", c.negate, diff)
		}
	}
}
