package harness

import (
	"errors"
	"testing"
)

type counters map[string]bool

func (m counters) Register(name string) error {
	if m[name] {
		return errors.New(name + " is there")
	}
	m[name] = true
	return nil
}

func (m counters) MustRegister(names ...string) {
	for _, n := range names {
		if err := m.Register(n); err != nil {
			panic(err)
		}
	}
}

func (m counters) Unregister(name string) bool {
	was := m[name]
	delete(m, name)
	return was
}

// What was entered before calls are made stays, and what a sequence enters goes.
func TestRegistersForget(t *testing.T) {
	was := registers
	t.Cleanup(func() { registers = was })
	registers.begin, registers.forget = nil, nil
	all := counters{"uptime": true}
	var usual registerer[string] = all
	Registers[string](&usual)
	for _, begin := range registers.begin {
		begin()
	}
	for range 2 {
		usual.MustRegister("requests", "errors")
		if err := usual.Register("uptime"); err == nil {
			t.Error("a name is entered twice")
		}
		if len(all) != 3 {
			t.Error(all)
		}
		Restore()
	}
	if len(all) != 1 || !all["uptime"] {
		t.Error(all)
	}
}
