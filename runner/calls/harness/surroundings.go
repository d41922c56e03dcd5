//go:build go1.21

package harness

import (
	"os"
	"reflect"
	"slices"
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

// Setenv stands for os.Setenv, until the next sequence. What the process was started with stays as
// it is, unless the module asks for it by name.
func Setenv(key, value string) error {
	if !environment.names[key] && !unset(key) {
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

// unset reports whether a variable may be set, and was not when the sequence began.
func unset(key string) bool {
	if before, ok := environment.before[key]; ok {
		return !before.set
	}
	_, set := os.LookupEnv(key)
	return !set && probe.Settable(key)
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
// harness's hands: random numbers, the time of day, the environment, exported variables, registers of the process, the standard input, the working directory. What answers clients is in a Machine's.
func Restore() {
	probe.Reseed()
	putAllBack()
	for _, forget := range registers.forget {
		forget()
	}
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
	return op.Package == "time" && op.Name == sleepName || op.Package == "os" && op.Name == setenvName || op.Name == Answered || op.inFront()
}

// wanting is a sequence with variables of the environment that it asks for.
type wanting struct {
	p     wire.Sequence
	names []string
}

const (
	maxWanting  = 128 // sequences
	shareAsking = 15  // of a hundred sequences, see environed
)

// want books what a sequence that executed something of Δ, or found something new, asked for.
func (g *generator) want(p wire.Sequence) {
	if len(g.m.Asked) == 0 || len(p) >= longest {
		return
	}
	w := wanting{p, g.m.Asked}
	if len(g.wanting) < maxWanting {
		g.wanting = append(g.wanting, w)
		return
	}
	g.wanting[g.r.Intn(maxWanting)] = w
}

// environed is a sequence that asks for variables of the environment, behind some that sets them.
func (g *generator) environed() wire.Sequence {
	w := g.wanting[g.r.Intn(len(g.wanting))]
	b := g.builder(w.p.Clone())
	for n := 1 + g.r.few(3); n > 0 && len(b.p) < longest; n-- {
		b.setenv(w.names[g.r.Intn(len(w.names))])
	}
	return b.p
}

// setenv puts a step in front of all others that sets a variable of the environment.
func (b *builder) setenv(name string) {
	at := slices.IndexFunc(b.g.around, func(op wire.Op) bool { return b.g.m.Ops[op].Name == setenvName })
	if at < 0 {
		return
	}
	op := b.g.around[at]
	s := wire.Step{Op: op, Args: []wire.Lit{{Form: wire.Text, S: name}, {Form: wire.Text, S: b.text(spot{op, 1})}}}
	*b = *b.g.builder(wire.Sequence{s}.Append(b.p))
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
	if b.g.m.Ops[op].inFront() {
		b.assign(op)
		return
	}
	if len(environment.list) == 0 {
		return
	}
	b.setenv(environment.list[r.Intn(len(environment.list))])
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
