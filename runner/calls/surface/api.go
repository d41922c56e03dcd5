package surface

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// API is what sequences about one package can name: functions, methods and
// types that both versions have alike.
type API struct {
	Package  string      // import path
	Name     string      // of the package
	Harness  []byte      // the test file that registers all of it
	ops      []Operation // in the order of registration, see Op
	OneSided []string    // functions that only one version has, or with another signature
	Cut      bool        // there are more than MaxOps
	// Relations are registered, see AddRelation.
	Relations []Registered
	// Numeric are the operations with an adapter, see AddNumeric.
	Numeric  []Numeric
	Literals Literals // of the package and its tests, once AddLiterals was called
	driven   []wire.Sequence
	lines    []line   // of registrations
	imports  []string // paths, see Import
	// HandsOut says that there is an Entry, and that the package's initialisers call nothing of
	// other modules: what of these they mention, they only hand out.
	HandsOut bool
	// Ineligible are functions that cannot be called from here, with the reason.
	Ineligible map[string]string
}

// Operation is a function, method or variable as the parent knows it.
type Operation struct {
	Name    string // as in Δ
	Package string // import path of the declaring package
	// At is where the func keyword stands; no place on a version that does not
	// declare the function. Line is that of head.
	At   version.Both[load.Place]
	Line int

	Exported bool
	// Seam says that it is a dependency's: what it shows itself is no behaviour of the module.
	Seam bool
	// Handed says that it is exported only in that others get hold of it, see handedOut.
	Handed bool
	// Tested says that it is not exported, and that the package's own tests call it.
	Tested bool
	// ChangedCaller says that it is not exported, and that another function of the change names it, see MarkChangedCallers.
	ChangedCaller bool
	// Entry says that it takes a dependency's function out of a table that the package hands
	// out, and calls it.
	Entry    bool
	Recoded  bool // it decodes a document and encodes it again, see recoded
	Variable bool
	OfTest   bool     // a test file's, or a field's, which makes values: what it shows itself is nobody's concern
	Driver   bool     // a test file's, which is given a text, and gives what came of it, see driver
	Test     bool     // a test file's, which takes the test that calls it first, beside its parameters
	Spawns   bool     // its declaration has a go statement
	spawners []string // functions of its package that have one and that it may execute, see Starts
	Global   bool     // its declaration changes a package-level variable
	Command  bool     // it runs the whole command, with the command line that it is given
	// GivesError reports whether its only result is an error.
	GivesError bool
	// Dynamic names the methods, as in Δ, that a call of an interface's method
	// may be a call of.
	Dynamic []string
	// Carries names the methods, as in Δ, of types that its declaration makes values of.
	Carries []string
	// Function is head's declaration, nil for a variable.
	Function *types.Func
	expr     string           // as sequences name it, see harness.Operation
	call     string           // Go expression of the function, seen from the registering file
	abroad   *types.Named     // see Abroad
	sig      *types.Signature // of call: instantiated, the receiver as first parameter
	hook     int
	adapted  *adaptation // nil where both versions have the same signature
	results  []types.Type
	params   []types.Type
	partial  map[string]bool // structs whose fields differ between the versions
}

// Declared reports whether head's tree has the function's declaration. Variables,
// methods of interfaces and functions of other modules have none there.
func (o Operation) Declared() bool { return o.At[version.Head] != load.Place{} }

// IsMethod reports whether an operation is a method, whose first argument is its receiver.
func (o Operation) IsMethod() bool { return o.Function != nil && o.Function.Signature().Recv() != nil }

// Abroad is the type of another module whose method is called; nil for other operations.
func (o Operation) Abroad() *types.Named { return o.abroad }

// Hook is the number of the operation's entry hook, -1 without.
func (o Operation) Hook() int { return o.hook }

// Adapted returns the signatures of both versions where these are not the same.
func (o Operation) Adapted() (texts version.Both[string], ok bool) {
	if o.adapted == nil {
		return texts, false
	}
	return o.adapted.texts, true
}

// SuppliesNil reports whether one version is given a nil that no sequence shows.
func (o Operation) SuppliesNil() bool { return o.adapted != nil && o.adapted.nils }

// ComponentName names a component of a call in place: a result, or something
// given that the call may have changed.
func (o Operation) ComponentName(i int) string {
	if i < 0 {
		return event.ComponentPanic
	}
	n := len(o.results)
	if i >= n {
		return o.given(i - n)
	}
	failing := make([]bool, n)
	failing[n-1] = types.Identical(o.results[n-1], types.Universe.Lookup("error").Type())
	return wire.ResultName(i, failing)
}

// given names the nth, from 0, of what a call is given and may change.
func (o Operation) given(n int) string {
	for k, t := range o.params {
		if !changeable(t, o.partial) {
			continue
		}
		if n--; n < 0 {
			return o.Argument(k)
		}
	}
	return event.ComponentArgument
}

// Argument names the kth thing, from 0, that a call is given: the receiver comes first.
func (o Operation) Argument(k int) string {
	switch method := o.IsMethod(); {
	case method && k == 0:
		return event.ComponentReceiver
	case method:
		return fmt.Sprintf("%s %d", event.ComponentArgument, k)
	}
	return fmt.Sprintf("%s %d", event.ComponentArgument, k+1)
}

// changeable reports whether a function can change what a caller sees of a value of type t. It is false of structs given as
// values whose fields differ between the versions, and of types that are of another kind on one of them, as in package harness.
func changeable(t types.Type, partial map[string]bool) bool {
	if partial[types.TypeString(types.Unalias(t), nil)] {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			if changeable(u.Field(i).Type(), partial) {
				return true
			}
		}
	case *types.Array:
		return changeable(u.Elem(), partial)
	}
	return false
}

// Types are the named types of the module that an operation has to do with.
func (o Operation) Types() []string { return append(o.Params(), o.Results()...) }

// Params are the named types of its parameters, its receiver's included.
func (o Operation) Params() []string { return namedTypes(o.params) }

// Results are the named types of its results.
func (o Operation) Results() []string { return namedTypes(o.results) }

func namedTypes(list []types.Type) []string {
	var out []string
	for _, t := range list {
		for {
			if e, ok := t.(interface{ Elem() types.Type }); ok {
				t = e.Elem()
				continue
			}
			break
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			out = append(out, n.Obj().Pkg().Path()+"."+n.Obj().Name())
		}
	}
	return out
}

// line registers one thing, in one line or several; op is its index in ops, -1
// for a type or constant.
type line struct {
	text     string
	op       int
	relation string // identifier of the relation that is registered
}

// MaxOps bounds the operations of one package under test.
const MaxOps = 3000

// NewAPI looks at what a package offers on both versions. own is the version
// whose tests are built; seams are functions of dependencies that lead to what differs there.
func NewAPI(base, head, own *load.Tree, pkg string, hooks *Hooks, seams ...isomorph.Seam) (*API, error) {
	bp, hp, op := find(base, pkg), find(head, pkg), find(own, pkg)
	if bp == nil || hp == nil || op == nil || bp.Code == nil || hp.Code == nil {
		return nil, fmt.Errorf("%s is not a package of both versions", pkg)
	}
	w := &writer{
		api:  &API{Package: pkg, Name: hp.Code.Name, Ineligible: map[string]string{}},
		base: view{base, bp}, head: view{head, hp}, module: head.Module,
		hooks: hooks, wanted: map[string]types.Type{}, implement: map[string]*types.Named{}, held: map[string]*types.Named{}, done: map[string]bool{}, partial: map[string]bool{},
	}
	w.lacking = lacking(base, head)
	w.handed = handedOut(hp.Code)
	w.tested = calledByTests(own, op)
	w.decls = version.Both[map[token.Pos]*ast.FuncDecl]{declarations(base), declarations(head)}
	if len(hooks.paths) > 0 {
		w.line(-1, "isodeltaH.ReadsFiles()")
	}
	w.own()
	w.ofTests(op)
	w.shapes(op)
	w.givenFunctions(op)
	w.decoded()
	w.recoded()
	w.writtenFiles()
	w.credentials()
	w.imported()
	w.elsewhere()
	w.mentioned()
	w.selectors()
	w.functions()
	w.interfaces()
	w.outsiders()
	w.seams(seams)
	w.tables(seams)
	w.makers()
	w.used(own, op)
	w.callbacks()
	w.serving()
	w.registers()
	w.stubs()
	w.asked()
	w.printing()
	w.spawning()
	w.surroundings()
	w.assigned()
	w.input()
	w.outsideLayouts()
	w.words()
	w.driven(own, op)
	for i := range w.api.ops {
		w.api.ops[i].partial = w.partial
	}
	return w.api, nil
}

// All yields the operations with their numbers, in order.
func (a *API) All() iter.Seq2[wire.Op, Operation] {
	return func(yield func(wire.Op, Operation) bool) {
		for i, o := range a.ops {
			if !yield(wire.OpAt(i), o) {
				return
			}
		}
	}
}

// Op returns the operation of a number; for one that every process has, and for
// none, an Operation that says only that anybody may call it.
func (a *API) Op(n wire.Op) Operation {
	if i := n.Index(); i >= 0 && i < len(a.ops) {
		return a.ops[i]
	}
	return Operation{Exported: true}
}

func find(t *load.Tree, pkg string) *load.Package {
	for _, p := range t.Packages {
		if p.Path == pkg {
			return p
		}
	}
	return nil
}

// lacking are the packages that one version alone is built with, as where a package was moved or a dependency has another path.
func lacking(base, head *load.Tree) map[string]bool {
	out := base.Linked()
	for path := range head.Linked() {
		if out[path] {
			delete(out, path)
		} else {
			out[path] = true
		}
	}
	return out
}

// CallsTest is the test function that answers the parent.
const CallsTest = probe.CallsTest

func (w *writer) line(op int, format string, args ...any) {
	w.api.lines = append(w.api.lines, line{text: fmt.Sprintf(format, args...), op: op})
}

// Import returns the alias under which the registering file imports a package.
func (a *API) Import(path string) string {
	i := slices.Index(a.imports, path)
	if i < 0 {
		i = len(a.imports)
		a.imports = append(a.imports, path)
	}
	return "isodelta" + strconv.Itoa(i)
}

// header is what stands in front of the registrations.
func (a *API) header() []string {
	used := ""
	for _, l := range a.lines {
		used += l.text + "\n"
	}
	h := []string{"//go:build go1.21", "", "package " + a.Name, "", "import (", "\tisodeltaT \"testing\"", "",
		fmt.Sprintf("\tisodeltaG %q", probe.Path+"/harness/gosource"),
		fmt.Sprintf("\tisodeltaH %q", probe.Path+"/harness")}
	for i, p := range a.imports {
		// An import that no registration uses any more does not compile.
		if alias := "isodelta" + strconv.Itoa(i); strings.Contains(used, alias+".") {
			h = append(h, fmt.Sprintf("\t%s %q", alias, p))
		}
	}
	return append(h, ")", "", fmt.Sprintf("func %s(t *isodeltaT.T) { isodeltaH.Under(t); isodeltaH.Serve(isodeltaG.Describe) }", CallsTest), "",
		"func init() {", fmt.Sprintf("\tisodeltaH.Package(%q)", a.Package))
}

// File is the test file that registers all operations, one after the other.
func (a *API) File() []byte {
	var b bytes.Buffer
	for _, h := range a.header() {
		b.WriteString(h + "\n")
	}
	for _, l := range a.lines {
		b.WriteString("\t" + l.text + "\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// Mend drops from the file what the compiler complains about there, which
// becomes ineligible with the complaint as reason. mended is false if there is
// nothing of the kind; whole is false if a complaint is about something that
// registers nothing, so that the file is no good.
func (a *API) Mend(complaints []execute.Position) (mended, whole bool) {
	broken := map[int]string{} // complaints by index of a.lines
	whole = true
	for _, at := range complaints {
		if filepath.Base(at.File) != FileName {
			continue
		}
		if i := a.registration(at.Line); i >= 0 {
			broken[i] = at.Message
		} else {
			whole = false
		}
	}
	// From the end, so that indices stay right.
	for _, i := range slices.Backward(slices.Sorted(maps.Keys(broken))) {
		mended = true
		a.Ineligible[a.drop(i)] = "cannot be named from a test: " + broken[i]
	}
	return mended, whole
}

// registration is the index of what a line of the file registers, -1 if it
// registers nothing.
func (a *API) registration(number int) int {
	at := len(a.header()) + 1
	if number < at {
		return -1
	}
	return slices.IndexFunc(a.lines, func(l line) bool {
		at += 1 + strings.Count(l.text, "\n")
		return number < at
	})
}

// drop leaves out a registration, which does not compile, and gives its name.
func (a *API) drop(i int) string {
	l := a.lines[i]
	a.lines = slices.Delete(a.lines, i, i+1)
	if l.relation != "" {
		a.Relations = slices.DeleteFunc(a.Relations, func(r Registered) bool { return r.ID == l.relation })
		return "relation " + l.relation
	}
	if l.op < 0 {
		return l.text
	}
	name := a.ops[l.op].Name
	a.ops = slices.Delete(a.ops, l.op, l.op+1)
	for k := range a.lines {
		if a.lines[k].op > l.op {
			a.lines[k].op--
		}
	}
	dropped := wire.OpAt(l.op)
	a.Relations = slices.DeleteFunc(a.Relations, func(r Registered) bool { return r.Op == dropped })
	for k := range a.Relations {
		if a.Relations[k].Op > dropped {
			a.Relations[k].Op--
		}
	}
	a.Numeric = slices.DeleteFunc(a.Numeric, func(n Numeric) bool { return n.Op == dropped })
	for k := range a.Numeric {
		if a.Numeric[k].Op > dropped {
			a.Numeric[k].Op--
		}
	}
	return name
}

// AddLiterals lets the file register texts and numbers too: calls in place are
// made where nobody sends any.
func (a *API) AddLiterals(l Literals) {
	const maxLiterals, maxText, perLine = 400, 200, 50
	a.Literals = l
	for near := range l.Texts {
		var texts []string
		for _, t := range spread(l.Texts[near], maxLiterals) {
			if len(t) <= maxText {
				texts = append(texts, strconv.Quote(t))
			}
		}
		var numbers []string
		for _, n := range spread(l.Numbers[near], maxLiterals) {
			numbers = append(numbers, strconv.FormatInt(n, 10))
		}
		for c := range slices.Chunk(texts, perLine) {
			a.lines = append(a.lines, line{text: fmt.Sprintf("isodeltaH.Texts(%d, %s)", near, strings.Join(c, ", ")), op: -1})
		}
		for c := range slices.Chunk(numbers, perLine) {
			a.lines = append(a.lines, line{text: fmt.Sprintf("isodeltaH.Numbers(%d, %s)", near, strings.Join(c, ", ")), op: -1})
		}
	}
}

// FileName is the registering file's, in the folder of the package.
const FileName = "isodelta_calls_test.go"
