//go:build go1.21

package harness

import (
	"io/fs"
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Operation is something a sequence can do: call a function or method, or read a
// package-level variable.
type Operation struct {
	Name     string // as in the changed set, such as (*Ring).Push
	Expr     string // of the function in Go source; for a method its bare name, "" where the receiver is a function that is called
	Behind   string // what follows Expr where that is a table, or gives one: the key of the function
	Asserted bool   // what Expr and Behind give is of an empty interface
	Package  string // import path that Expr has to be qualified with, "" for methods
	Method   bool   // the first argument is the receiver
	Exported bool   // callable from outside the package
	Selector bool   // no call: a field or the first element of the receiver, by what follows that
	Address  bool   // a Selector gives a pointer to that
	Inner    bool   // called by functions that the code is given, and by nothing else: see Call
	Variable bool   // no call: the value of a package-level variable
	Assigns  bool   // a variable is set, see Assign
	Prepares bool   // of another module, and called by users with what they give to the package, see prepare
	Role     wire.Role
	Hook     int    // number of its entry hook, -1 without
	Paths    uint64 // bits of In whose texts name files or folders
	Parts    uint64 // bits of In that one version alone takes, see AdaptWhole: a stub would stand for what the other one has itself
	// CommandLine says that the arguments are the words of a command line, which the function reads: see CommandLine.
	CommandLine bool
	Test        bool         // the function takes the test first, which is none of In
	Adapted     bool         // no source calls both versions, see Adapt
	Credential  bool         // it gives a key or a certificate, see Credential
	Recodes     reflect.Type // into which a document is decoded, see Recode; nil for others
	Fn          reflect.Value
	In, Out     []reflect.Type
	Variadic    bool
	waiting     bool // it waited for ever, see wire.Setup
	careful     bool // see wire.Setup
	excluded    bool // not to be called: it varies by itself, or ends the process
}

// Declared reports whether a test declares the function, or what calls it on both versions, for itself.
func (o *Operation) Declared() bool {
	return o.Name == Served || o.Name == Written || o.Recodes != nil || o.Credential || o.Adapted
}

// Registry holds what sequences of one test binary can name. Its order is the
// generated file's, hence the same on both versions.
type Registry struct {
	Ops     []Operation
	Types   []reflect.Type
	byType  map[reflect.Type]int
	basic   int                    // types that every registry has
	layouts map[reflect.Type][]int // see Layout
	// Constants of a named type, by type.
	Constants map[reflect.Type][]Constant
	asked     []int                     // numbers of stubs, see Asked
	given     []int                     // numbers of types of functions, see Given
	relations map[string]relationEntry  // by identifier
	choices   map[wire.Op]relationEntry // by operation
	adapters  []adapter
	Package   string     // import path of the package under test
	parent    *testing.T // makes the calls
	test      *testing.T // the sequence under way as a test, see runTest
	// request makes a request of type requestType; nil where functions take none.
	request     func(method, target, body string) reflect.Value
	requestType reflect.Type
	// Header fields that the code and its tests name, with values or "": see Field.
	requestFields, answerFields [][2]string
	// Clients are answered by these; nil where nothing needs it: see Replies.
	replying               func(tell func(string), answers []string) reflect.Value
	replied                func(text string) reflect.Value
	answerType, clientType reflect.Type
	unanswered             func() bool // nil where nothing asks servers: see Answers
	words                  []string    // see Words
	// servedFiles makes file systems of package net/http; nil where nothing takes them: see HTTPFiles.
	servedFiles     func(fs.FS) reflect.Value
	servedFilesType reflect.Type
	documents       []document     // see Document
	pathFields      map[field]bool // see PathFields
	spelledOut      map[reflect.Type]bool
	readsFiles      bool           // see ReadsFiles
	readsLinks      bool           // see ReadsLinks
	prints          bool           // see Printing
	spawns          bool           // see Spawning
	outputs         *probe.Outputs // nil where nobody looks at what calls print
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
	r := &Registry{byType: map[reflect.Type]int{}, layouts: map[reflect.Type][]int{}, pathFields: map[field]bool{}, spelledOut: map[reflect.Type]bool{}, Constants: map[reflect.Type][]Constant{},
		relations: map[string]relationEntry{}, choices: map[wire.Op]relationEntry{}}
	r.Ops = []Operation{
		wire.OpLet:    {Name: "let", Hook: -1},
		wire.OpWrite:  {Name: "write", Hook: -1},
		wire.OpExtend: {Name: "extend", Hook: -1},
		wire.OpSet:    {Name: "set", Hook: -1},
	}
	for _, t := range wire.BasicTypes() {
		r.addType(t)
	}
	r.basic = len(r.Types)
	return r
}

// seal registers what is derived from the registered: slices and maps that are
// parameters, which a sequence may want to give a place of their own.
func (r *Registry) seal() {
	for _, op := range r.Ops {
		for _, t := range op.In {
			if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
				r.addType(t)
			}
		}
	}
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

// Printing says that calls may print, so that it is worth a look.
func Printing() { registry.prints = true }

// Spawning says that code of the module starts goroutines, where nobody recovers from what a callback panics with.
func Spawning() { registry.spawns = true }

// Func registers a function, or a method by its method expression.
func Func(o Operation, fn any) {
	o.Fn = reflect.ValueOf(fn)
	if takes, ok := fn.(takingTest); ok {
		o.Fn, o.Test = registry.withoutTest(reflect.ValueOf(takes.fn)), true
	}
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

// Var registers a package-level variable by its address. A sequence gets its
// value, which it may share with the package.
func Var(o Operation, pointer any) {
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

// Asked registers a stub, by a nil pointer to it, of an interface that code asks values of any
// type for.
func Asked(pointer any) {
	Type(pointer)
	registry.asked = append(registry.asked, registry.byType[reflect.TypeOf(pointer).Elem()])
}

// Given registers a type of functions, by a nil pointer to it, that tests give where anything may be given.
func Given(pointer any) {
	registry.given = append(registry.given, registry.addType(reflect.TypeOf(pointer).Elem()))
}

// Const registers a constant of a named type.
func Const(expr, pkg string, value any) {
	v := reflect.ValueOf(value)
	registry.Constants[v.Type()] = append(registry.Constants[v.Type()], Constant{expr, pkg, v})
}

// Has reports whether there is an operation of a number.
func (r *Registry) Has(op wire.Op) bool { return op >= 0 && op < r.end() }

// end is the number behind the last operation's.
func (r *Registry) end() wire.Op { return wire.Op(len(r.Ops)) }
