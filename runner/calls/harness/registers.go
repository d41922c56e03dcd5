//go:build go1.21

package harness

import "sync"

// Some packages keep a register of the whole process, which refuses a name that it has: the metrics of a service, the
// handlers of a server. What a sequence enters there is taken out before the next one, which would end in a panic else
// where it makes the same service once more.

// registers are the registers of the process.
var registers struct {
	begin  []func() // when calls are about to be made
	forget []func() // before each sequence
}

// Anew registers what gives a register of the whole process a new start.
func Anew(start func()) { registers.forget = append(registers.forget, start) }

// Registers registers a variable that holds a register of metrics, by its address, as package prometheus has one.
func Registers[C, R any](at *R) {
	registers.begin = append(registers.begin, func() {
		inner, ok := any(*at).(registerer[C])
		if !ok {
			return
		}
		outer := &register[C]{registerer: inner}
		if r, ok := any(outer).(R); ok {
			*at = r
			registers.forget = append(registers.forget, outer.forget)
		}
	})
}

type registerer[C any] interface {
	Register(C) error
	MustRegister(...C)
	Unregister(C) bool
}

// register notes what is entered in another one.
type register[C any] struct {
	registerer[C]
	lock    sync.Mutex
	entered []C
}

func (r *register[C]) Register(c C) error {
	err := r.registerer.Register(c)
	if err == nil {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.entered = append(r.entered, c)
	}
	return err
}

func (r *register[C]) MustRegister(all ...C) {
	for _, c := range all {
		if err := r.Register(c); err != nil {
			panic(err)
		}
	}
}

// forget takes out what was entered.
func (r *register[C]) forget() {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, c := range r.entered {
		r.registerer.Unregister(c)
	}
	r.entered = nil
}
