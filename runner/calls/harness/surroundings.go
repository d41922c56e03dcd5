//go:build go1.21

package harness

import (
	"os"
	"reflect"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Some of what a call meets nobody gives it: how late it is, and the environment. Steps
// can change both where the module asks for them. In a test they are calls of the
// standard library.

// Names of these operations.
const (
	sleepName  = "time.Sleep"
	setenvName = "os.Setenv"
)

// Sleep stands for time.Sleep in sequences: what clocks show goes on, and nobody waits.
func Sleep(d time.Duration) {
	if d > 0 {
		probe.PassTime(d)
	}
}

// Setenv stands for os.Setenv, until the next sequence. Only what the module asks for is
// set.
func Setenv(key, value string) error {
	if !environment.names[key] {
		return nil
	}
	if _, ok := environment.before[key]; !ok {
		old, had := os.LookupEnv(key)
		environment.before[key] = variableBefore{old, had}
	}
	return os.Setenv(key, value)
}

// Environment registers names of variables that the module asks for.
func Environment(names ...string) {
	for _, n := range names {
		environment.names[n] = true
		environment.list = append(environment.list, n)
	}
}

type variableBefore struct {
	value string
	set   bool
}

// environment is what generated files register, and what sequences have changed.
var environment = struct {
	names  map[string]bool
	list   []string
	before map[string]variableBefore
}{names: map[string]bool{}, before: map[string]variableBefore{}}

// Restore makes a sequence independent of those before it, as far as that is in the
// harness's hands: random numbers, the time of day, the environment.
func Restore() {
	probe.Reseed()
	for name, v := range environment.before {
		if v.set {
			os.Setenv(name, v.value)
		} else {
			os.Unsetenv(name)
		}
		delete(environment.before, name)
	}
}

// Surrounds reports whether an operation is one of these.
func Surrounds(op *Operation) bool {
	return op.Package == "time" && op.Name == sleepName || op.Package == "os" && op.Name == setenvName
}

var durationType = reflect.TypeOf(time.Duration(0))

// surround adds a step that changes what the next ones meet, if there is one: the
// environment in front of all others, time behind them.
func (b *builder) surround() {
	r := b.g.r
	if len(b.g.around) == 0 || len(b.p) >= longest || !r.Chance(15) {
		return
	}
	op := b.g.around[r.Intn(len(b.g.around))]
	if b.g.m.Ops[op].Name == sleepName {
		b.add(wire.Step{Op: op, Args: []wire.Lit{{Form: wire.Int, N: b.span()}}})
		return
	}
	if len(environment.list) == 0 {
		return
	}
	s := wire.Step{Op: op, Args: []wire.Lit{{Form: wire.Text, S: environment.list[r.Intn(len(environment.list))]}, {Form: wire.Text, S: b.text(spot{op, 1})}}}
	*b = *b.g.builder(wire.Sequence{s}.Append(b.p))
}

// span is how long to wait: as long as a duration that the sequence gives, or a moment
// more, or a usual time.
func (b *builder) span() int64 {
	r := b.g.r
	var given []int64
	for _, s := range b.p {
		if s.Op.Builtin() {
			continue
		}
		for i, t := range b.g.m.Ops[s.Op].In {
			if t == durationType && i < len(s.Args) && s.Args[i].Form == wire.Int && s.Args[i].N > 0 {
				given = append(given, s.Args[i].N)
			}
		}
	}
	if len(given) > 0 && r.Chance(70) {
		return given[r.Intn(len(given))] + int64(r.Intn(3)-1)
	}
	usual := []time.Duration{time.Millisecond, time.Second, 2 * time.Second, time.Minute, time.Hour, 24 * time.Hour, 31 * 24 * time.Hour}
	return int64(usual[r.Intn(len(usual))])
}
