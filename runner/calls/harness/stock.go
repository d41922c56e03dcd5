//go:build go1.21

package harness

import (
	"reflect"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of the stock, for one iteration.
const (
	stockOfType = 32
	stockTypes  = 400
	stockEntry  = 24 // values taken from one entry
)

// stock keeps copies of values by type, made by earlier entries. They are what
// an unexported state is exchanged for: only the code itself can build one.
type stock struct {
	byType map[reflect.Type][]stocked
	order  *[]reflect.Type // of the types, as they came
	known  map[uint64]bool
}

type stocked struct {
	s     *survey
	state uint64
}

func newStock() stock {
	return stock{map[reflect.Type][]stocked{}, new([]reflect.Type), map[uint64]bool{}}
}

// add takes in the values of an entry and what they lead to.
func (k stock) add(s *survey) {
	n := 0
	for _, v := range s.copy() {
		k.addValue(v, &n, 0)
	}
}

func (k stock) addValue(v reflect.Value, n *int, depth int) {
	if *n >= stockEntry || depth > 4 {
		return
	}
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	t := v.Type()
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return
		}
	case reflect.Struct:
	default:
		return
	}
	if shared, _ := treatment(t, v); shared {
		return
	}
	*n++
	k.keep(v)
	if t.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		for i := 0; i < v.NumField(); i++ {
			if v.Type().Field(i).IsExported() {
				k.addValue(v.Field(i), n, depth+1)
			}
		}
	}
	if v.Kind() == reflect.Slice {
		for i := 0; i < v.Len() && i < 4; i++ {
			k.addValue(v.Index(i), n, depth+1)
		}
	}
}

func (k stock) keep(v reflect.Value) {
	t := v.Type()
	list := k.byType[t]
	if len(list) >= stockOfType || len(list) == 0 && len(k.byType) >= stockTypes {
		return
	}
	state := probe.Mix(probe.State(v), uint64(len(t.String())))
	if k.known[state] {
		return
	}
	k.known[state] = true
	s := look([]reflect.Value{v}, []reflect.Type{t})
	if s.reason != "" {
		return
	}
	// The survey must not see what later happens to v.
	c := s.copy()
	s = look(c, []reflect.Type{t})
	if len(list) == 0 {
		*k.order = append(*k.order, t)
	}
	k.byType[t] = append(list, stocked{s, state})
}

// pick returns a copy of a value that can be assigned to t. Which one is a
// matter of their states, not of how many came before, so that versions that
// enter functions in other orders still mostly pick the same.
func (k stock) pick(r *Rand, t reflect.Type) (reflect.Value, bool) {
	salt := r.Uint64()
	var best *survey
	most := uint64(0)
	consider := func(list []stocked) {
		for _, x := range list {
			if w := probe.Mix(salt, x.state); best == nil || w > most {
				best, most = x.s, w
			}
		}
	}
	if t.Kind() == reflect.Interface {
		for _, u := range *k.order {
			if u.AssignableTo(t) {
				consider(k.byType[u])
			}
		}
	} else {
		consider(k.byType[t])
	}
	if best == nil {
		return reflect.Value{}, false
	}
	return best.copy()[0], true
}
