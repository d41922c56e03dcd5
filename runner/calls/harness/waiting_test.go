package harness

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestWhatComesToItsEnd(t *testing.T) {
	t.Parallel()
	m := NewMachine(newRegistry())
	l := wire.Lit{Form: wire.Special, S: wire.SpecialTimeout, E: []wire.Lit{{Form: wire.Int, N: 1}}}
	begin := time.Now() // before its time begins
	v, err := m.Special(l, contextType)
	if err != nil {
		t.Fatal(err)
	}
	<-v.Interface().(context.Context).Done()
	if took := time.Since(begin); took < TimeoutOf(1)/2 {
		t.Errorf("over after %s", took)
	}
	l = wire.Lit{Form: wire.Special, S: wire.SpecialLateChan, E: []wire.Lit{{Form: wire.Int, N: 7}}}
	if v, err = m.Special(l, reflect.TypeFor[<-chan int]()); err != nil {
		t.Fatal(err)
	}
	c := v.Interface().(<-chan int)
	if n := <-c; n != 7 {
		t.Errorf("got %d", n)
	}
	if n, open := <-c; n != 0 || open {
		t.Errorf("got %d, %t", n, open)
	}
	if v, err = m.Special(l, reflect.TypeFor[chan int]()); err != nil || len(m.endings) != 3 {
		t.Fatal(err, len(m.endings))
	}
	m.stopWaiting()
	<-v.Interface().(chan int)
	select {
	case <-v.Interface().(chan int):
		t.Error("closed although the sequence is over")
	case <-time.After(3 * ClosedAfter):
	}
}

// What has waited for ever is given contexts and channels that end, and nothing else is changed.
func TestWaitersAreGivenEnds(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{Ops: make([]Operation, wire.Builtins+2)})
	in := []reflect.Type{contextType, reflect.TypeFor[<-chan int](), reflect.TypeFor[chan<- int]()}
	m.Ops[wire.Builtins].In, m.Ops[wire.Builtins].waiting, m.Ops[wire.Builtins+1].In = in, true, in
	g := &generator{m: m, r: NewRand(1)}
	args := func() []wire.Lit {
		return []wire.Lit{{Form: wire.Special, S: wire.SpecialContext}, {}, {}}
	}
	p := wire.Sequence{{Op: wire.Builtins, Args: args()}, {Op: wire.Builtins + 1, Args: args()}}
	g.wait(p)
	if p[0].Args[0].S != wire.SpecialTimeout || p[0].Args[1].S != wire.SpecialLateChan || p[0].Args[2].Form != wire.Zero {
		t.Errorf("%+v", p[0])
	}
	if !reflect.DeepEqual(p[1].Args, args()) {
		t.Errorf("%+v", p[1])
	}
}

// A channel that is sent to has room, and stays open.
func TestOpenChannel(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{})
	v, err := m.Special(wire.Lit{Form: wire.Special, S: wire.SpecialOpenChan}, reflect.TypeFor[chan<- int]())
	if err != nil {
		t.Fatal(err)
	}
	c := v.Interface().(chan<- int)
	for n := range ChannelRoom {
		select {
		case c <- n:
		default:
			t.Fatalf("full after %d", n)
		}
	}
}
