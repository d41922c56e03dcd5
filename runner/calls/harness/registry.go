//go:build go1.21

package harness

import (
	"bytes"
	"fmt"
	"reflect"
	"time"
)

// Role says how closely an operation shows the change.
type Role int

const (
	Other    Role = iota // builds values, or looks at them
	Consumer             // takes values that changed functions build
	Caller               // reaches a changed function
	Changed              // is one
)

// Op is something a program can do: call a function or method, or read a
// package-level variable.
type Op struct {
	Name     string // as in the changed set, such as (*Ring).Push
	Expr     string // of the function in Go source; for a method its bare name
	Package  string // import path that Expr has to be qualified with, "" for methods
	Method   bool   // the first argument is the receiver
	Exported bool   // callable from outside the package
	Variable bool   // no call: the value of a package-level variable
	Role     Role
	Hook     int // number of its entry hook, -1 without
	Fn       reflect.Value
	In, Out  []reflect.Type
	Variadic bool
	builtin  builtin
	excluded bool // not to be called: it varies by itself, or ends the process
}

// builtin operations, in front of the registered ones.
type builtin int

const (
	none   builtin = iota
	let            // gives its literal, of the type that T names, a place of its own
	write          // sets the first element of a slice, or of a slice in it
	extend         // appends to a slice, or to a slice in it, and drops the result
)

// Numbers of the builtin operations. Let takes one Dynamic; Write and Extend
// take a reference to a slice and one Dynamic-free element.
const (
	OpLet = iota
	OpWrite
	OpExtend
	Builtins // how many there are
)

// Registry holds what programs of one test binary can name. Its order is the
// generated file's, hence the same on both versions.
type Registry struct {
	Ops     []Op
	Types   []reflect.Type
	byType  map[reflect.Type]int
	basic   int                    // types that every registry has
	layouts map[reflect.Type][]int // see Layout
	// Constants of a named type, by type.
	Constants map[reflect.Type][]Constant
	relations map[string]relationEntry // by identifier
	choices   map[int]relationEntry    // by operation
	adapters  []Adapter
	// Package is the import path of the package under test; Qualifier the name
	// of its external tests' import.
	Package string
}

// Constant is a declared constant of a named type.
type Constant struct {
	Expr, Package string
	Value         reflect.Value
}

// The registry of this process: generated files fill it from their init
// functions, before anything runs.
var registry = newRegistry()

func newRegistry() *Registry {
	r := &Registry{byType: map[reflect.Type]int{}, layouts: map[reflect.Type][]int{}, Constants: map[reflect.Type][]Constant{},
		relations: map[string]relationEntry{}, choices: map[int]relationEntry{}}
	r.Ops = []Op{
		OpLet:    {Name: "let", builtin: let, Hook: -1},
		OpWrite:  {Name: "write", builtin: write, Hook: -1},
		OpExtend: {Name: "extend", builtin: extend, Hook: -1},
	}
	for _, v := range []any{
		false, int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
		float32(0), float64(0), complex64(0), complex128(0), "",
		[]byte(nil), []string(nil), []int(nil), []any(nil), []float64(nil), []bool(nil),
		map[string]any(nil), map[string]string(nil), map[string]int(nil), map[any]any(nil), []map[string]any(nil),
		new(int), new(string), new(bool), new(float64), new(any), new(map[string]any), new([]any), new([]string), new(map[string]string),
		[2]int{}, [3]string{}, struct{}{},
		time.Time{}, time.Duration(0), (*time.Location)(nil),
		new(taggedStruct), taggedStruct{}, new(nestedStruct), nestedStruct{}, new(embeddingStruct), embeddingStruct{}, new(variousStruct), variousStruct{},
		[]taggedStruct(nil), map[string]taggedStruct(nil), map[int]string(nil),
		(*bytes.Buffer)(nil),
	} {
		r.addType(reflect.TypeOf(v))
	}
	r.basic = len(r.Types)
	return r
}

// seal registers what is derived from the registered: slices and maps that are
// parameters, which a program may want to give a place of their own.
func (r *Registry) seal() {
	for _, op := range r.Ops {
		for _, t := range op.In {
			if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
				r.addType(t)
			}
		}
	}
}

// taggedStruct and those below are structs with tags, for functions that take
// any and look at it by reflection. They are aliases of unnamed types, so that a
// test to paste can write them out.
type taggedStruct = struct {
	Name  string            `json:"name" yaml:"name" toml:"name" xml:"name"`
	Count int               `json:"count,omitempty" yaml:"count,omitempty" toml:"count,omitempty" xml:"count,attr"`
	Ratio float64           `json:"ratio" yaml:"ratio" toml:"ratio" xml:"ratio"`
	On    bool              `json:"on" yaml:"on" toml:"on" xml:"on"`
	Tags  []string          `json:"tags" yaml:"tags" toml:"tags" xml:"tags"`
	Extra map[string]string `json:"extra" yaml:"extra" toml:"extra" xml:"-"`
}

type nestedStruct = struct {
	A     int
	B     *string
	Inner struct {
		X, Y int
		Z    []float64
	}
	List []struct {
		K string
		V any
	}
	Skip any `json:"-" yaml:"-" toml:"-" xml:"-"`
}

type embeddingStruct = struct {
	fmt.Stringer
	N int
}

type variousStruct = struct {
	T time.Time
	D time.Duration
	P *int
	B []byte
	M map[int]string
	A [2]int
	E error
	F float32
	U uint8
	R rune
}

func (r *Registry) addType(t reflect.Type) int {
	if i, ok := r.byType[t]; ok {
		return i
	}
	r.byType[t] = len(r.Types)
	r.Types = append(r.Types, t)
	return len(r.Types) - 1
}

// TypeNumber returns the number of a registered type.
func (r *Registry) TypeNumber(t reflect.Type) (int, bool) {
	i, ok := r.byType[t]
	return i, ok
}

// Package names the package under test.
func Package(path string) { registry.Package = path }

// Func registers a function, or a method by its method expression.
func Func(o Op, fn any) {
	o.Fn = reflect.ValueOf(fn)
	t := o.Fn.Type()
	for i := 0; i < t.NumIn(); i++ {
		o.In = append(o.In, t.In(i))
	}
	for i := 0; i < t.NumOut(); i++ {
		o.Out = append(o.Out, t.Out(i))
	}
	o.Variadic = t.IsVariadic()
	registry.Ops = append(registry.Ops, o)
}

// Var registers a package-level variable by its address. A program gets its
// value, which it may share with the package.
func Var(o Op, pointer any) {
	o.Fn, o.Variable = reflect.ValueOf(pointer), true
	o.Out = []reflect.Type{o.Fn.Type().Elem()}
	registry.Ops = append(registry.Ops, o)
}

// Type registers a type by a nil pointer to it. Interfaces may hold it then.
func Type(pointer any) {
	t := reflect.TypeOf(pointer).Elem()
	if t.Kind() == reflect.Interface {
		return
	}
	registry.addType(t)
	if t.Kind() != reflect.Pointer {
		registry.addType(reflect.PointerTo(t))
	}
}

// Const registers a constant of a named type.
func Const(expr, pkg string, value any) {
	v := reflect.ValueOf(value)
	registry.Constants[v.Type()] = append(registry.Constants[v.Type()], Constant{expr, pkg, v})
}
