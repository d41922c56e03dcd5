//go:build go1.21

package harness

import (
	"context"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Adapt calls a function, whose signature is that of one version, through the signature F
// that both have in common. A context that only this version takes is an empty one, and it gets
// no options at the end. What it gives in addition is left out, and an error that it does not
// give is nil. It returns nil for a function that cannot be called so.
func Adapt[F any](fn any) F {
	return adapted[F](fn, adaptedArguments)
}

// AdaptWhole is Adapt for a signature F that has all that one version takes: the other one leaves some of it.
func AdaptWhole[F any](fn any) F { return adapted[F](fn, fewerArguments) }

// isPart reports whether one version alone takes an argument.
func (r *Registry) isPart(at spot) bool {
	return at.op >= wire.Builtins && r.Has(at.op) && at.arg >= 0 && at.arg < 64 && r.Ops[at.op].Parts&(1<<at.arg) != 0
}

// A pairing tells how each argument of a function is made of what is given to one of type to.
type pairing func(to, own reflect.Type) (takes []func([]reflect.Value) reflect.Value, ok bool)

func adapted[F any](fn any, arguments pairing) F {
	var none F
	if f, ok := fn.(F); ok {
		return f
	}
	to, own := reflect.TypeOf(none), reflect.ValueOf(fn)
	takes, ok := arguments(to, own.Type())
	gives, ok2 := adaptedResults(to, own.Type())
	if !ok || !ok2 {
		return none
	}
	call := own.Call
	if own.Type().IsVariadic() {
		call = own.CallSlice
	}
	return reflect.MakeFunc(to, func(given []reflect.Value) []reflect.Value {
		args := make([]reflect.Value, len(takes))
		for i, take := range takes {
			args[i] = take(given)
		}
		return gives(call(args))
	}).Interface().(F)
}

// adaptedArguments returns how each argument of a function is made of what is given to one
// of type to.
func adaptedArguments(to, own reflect.Type) (takes []func([]reflect.Value) reflect.Value, ok bool) {
	next := 0
	for i := 0; i < own.NumIn(); i++ {
		in, at := own.In(i), next
		switch {
		case in == contextType && (at >= to.NumIn() || to.In(at) != contextType):
			takes = append(takes, func([]reflect.Value) reflect.Value { return reflect.ValueOf(context.Background()) })
		case at >= to.NumIn():
			takes = append(takes, func([]reflect.Value) reflect.Value { return reflect.Zero(in) })
		case own.IsVariadic() && !to.IsVariadic() && i == own.NumIn()-1 && to.In(at) == in.Elem():
			takes = append(takes, func(given []reflect.Value) reflect.Value {
				return reflect.Append(reflect.MakeSlice(in, 0, 1), given[at])
			})
			next++
		case turns(to.In(at), in):
			takes = append(takes, func(given []reflect.Value) reflect.Value { return turned(given[at], in) })
			next++
		default:
			return nil, false
		}
	}
	return takes, next == to.NumIn()
}

// fewerArguments takes those of to that are of the next type of own.
func fewerArguments(to, own reflect.Type) (takes []func([]reflect.Value) reflect.Value, ok bool) {
	for at := 0; at < to.NumIn() && len(takes) < own.NumIn(); at++ {
		if k := at; to.In(k) == own.In(len(takes)) {
			takes = append(takes, func(given []reflect.Value) reflect.Value { return given[k] })
		}
	}
	return takes, len(takes) == own.NumIn()
}

// adaptedResults returns what makes the results of a function those of one of type to.
func adaptedResults(to, own reflect.Type) (gives func([]reflect.Value) []reflect.Value, ok bool) {
	n, fails := to.NumOut(), givesError(own)
	if givesError(to) {
		n--
	}
	for i := 0; i < n; i++ {
		if i >= own.NumOut() || !turns(own.Out(i), to.Out(i)) {
			return nil, false
		}
	}
	return func(out []reflect.Value) []reflect.Value {
		results := make([]reflect.Value, to.NumOut())
		for i := range results[:n] {
			results[i] = turned(out[i], to.Out(i))
		}
		switch {
		case n == to.NumOut():
		case fails:
			results[n] = out[len(out)-1]
		default:
			results[n] = reflect.Zero(errorType)
		}
		return results
	}, true
}

func givesError(t reflect.Type) bool {
	return t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType
}

// turns reports whether a value of one type can be one of another and mean the same: a
// named type and what it is made of, or text as a string and as bytes.
func turns(from, to reflect.Type) bool {
	if from.AssignableTo(to) {
		return true
	}
	return from.ConvertibleTo(to) && (from.Kind() == to.Kind() || isText(from) && isText(to))
}

func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func turned(v reflect.Value, to reflect.Type) reflect.Value {
	if v.Type().AssignableTo(to) {
		return v
	}
	return v.Convert(to)
}
