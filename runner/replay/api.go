package replay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
)

// API is what programs about one package can name: functions, methods and
// types that both versions have alike.
type API struct {
	Package  string   // import path
	Name     string   // of the package
	Harness  []byte   // the test file that registers all of it
	Ops      []Op     // in the order of registration, behind the builtin ones
	OneSided []string // functions that only one version has, or with another signature
	Cut      bool     // there are more than MostOps
	Literals Literals // of the package and its tests, once AddLiterals was called
	lines    []line   // of registrations
	head     []string // of the registering file
	imported []string // aliases of its imports
	// Ineligible are functions that cannot be called from here, with the reason.
	Ineligible map[string]string
}

// Op is a function, method or variable as the parent knows it.
type Op struct {
	Name     string // as in Δ
	Package  string // import path of the declaring package
	File     string // of head, relative to the tree
	Line     int
	Offset   int // of the func keyword, head
	BaseFile string
	BaseAt   int // of the func keyword, base
	Exported bool
	Variable bool
	Spawns   bool // its declaration has a go statement
	Global   bool // its declaration changes a package-level variable
	// Dynamic names the methods, as in Δ, that a call of an interface's method
	// may be a call of.
	Dynamic []string
	hook    int
	results []types.Type
	params  []types.Type
}

// Hook is the number of the operation's entry hook, -1 without.
func (o Op) Hook() int { return o.hook }

// ComponentName names a component of a call in place: a result, or something
// given that the call may have changed.
func (o Op) ComponentName(i int) string {
	if i < 0 {
		return "panic"
	}
	n := len(o.results)
	if i >= n {
		return fmt.Sprintf("what it was given, %d", i-n+1)
	}
	failing := n > 0 && types.Identical(o.results[n-1], types.Universe.Lookup("error").Type())
	switch {
	case failing && i == n-1:
		return "error"
	case n == 1 || n == 2 && failing:
		return "result"
	}
	return fmt.Sprintf("result %d", i+1)
}

// Types are the named types of the module that an operation has to do with.
func (o Op) Types() []string { return append(o.Params(), o.Results()...) }

// Params are the named types of its parameters, its receiver's included.
func (o Op) Params() []string { return namedTypes(o.params) }

// Results are the named types of its results.
func (o Op) Results() []string { return namedTypes(o.results) }

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

// line registers one thing; op is its index in Ops, -1 for a type or constant.
type line struct {
	text string
	op   int
}

// MostOps bounds the operations of one package under test.
const MostOps = 3000

// NewAPI looks at what a package offers on both versions. own is the version
// whose tests are built. probe is the import path of the injected probe.
func NewAPI(base, head, own *load.Tree, pkg, probe string, hooks *Hooks) (*API, error) {
	bp, hp, op := find(base, pkg), find(head, pkg), find(own, pkg)
	if bp == nil || hp == nil || op == nil || bp.Code == nil || hp.Code == nil {
		return nil, fmt.Errorf("%s is not a package of both versions", pkg)
	}
	w := &writer{
		api:  &API{Package: pkg, Name: hp.Code.Name, Ineligible: map[string]string{}},
		base: view{base, bp}, head: view{head, hp}, module: head.Module,
		imports: map[string]string{}, probe: probe, hooks: hooks, wanted: map[string]types.Type{}, done: map[string]bool{},
	}
	w.decls = [2]map[token.Pos]*ast.FuncDecl{declarations(base), declarations(head)}
	w.own()
	w.testTypes(op)
	w.shapes(op)
	w.imported()
	w.interfaces()
	w.makers()
	w.file()
	return w.api, nil
}

func find(t *load.Tree, pkg string) *load.Package {
	for _, p := range t.Packages {
		if p.Path == pkg {
			return p
		}
	}
	return nil
}

// CallsTest is the test function that answers the parent.
const CallsTest = "TestIsodeltaCalls"

func (w *writer) line(op int, format string, args ...any) {
	w.api.lines = append(w.api.lines, line{fmt.Sprintf(format, args...), op})
}

// File is the test file that registers all operations, one to a line.
func (a *API) File() []byte {
	var b bytes.Buffer
	used := ""
	for _, l := range a.lines {
		used += l.text + "\n"
	}
	for _, h := range a.head {
		// An import that no registration uses any more does not compile.
		if alias, _, ok := strings.Cut(strings.TrimPrefix(h, "\t"), " "); ok && slices.Contains(a.imported, alias) && !strings.Contains(used, alias+".") {
			h = ""
		}
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
	lines := map[int]string{}
	for _, at := range complaints {
		if filepath.Base(at.File) == FileName {
			lines[at.Line] = at.Message
		}
	}
	whole = true
	// From the end, so that numbers stay right.
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(lines))) {
		name, ok := a.drop(n)
		if !ok {
			whole = false
			continue
		}
		mended = true
		a.Ineligible[name] = "cannot be named from a test: " + lines[n]
	}
	return mended, whole
}

// drop leaves out what a line of the file registers, which does not compile.
// It gives its name; false if the line registers nothing.
func (a *API) drop(number int) (string, bool) {
	i := number - 1 - len(a.head)
	if i < 0 || i >= len(a.lines) {
		return "", false
	}
	l := a.lines[i]
	a.lines = slices.Delete(a.lines, i, i+1)
	if l.op < 0 {
		return l.text, true
	}
	name := a.Ops[l.op].Name
	a.Ops = slices.Delete(a.Ops, l.op, l.op+1)
	for k := range a.lines {
		if a.lines[k].op > l.op {
			a.lines[k].op--
		}
	}
	return name, true
}

// AddLiterals lets the file register texts and numbers too: calls in place are
// made where nobody sends any.
func (a *API) AddLiterals(l Literals) {
	const most, text, perLine = 400, 200, 50
	a.Literals = l
	for near := range l.Texts {
		var texts []string
		for _, t := range spread(l.Texts[near], most) {
			if len(t) <= text {
				texts = append(texts, strconv.Quote(t))
			}
		}
		var numbers []string
		for _, n := range spread(l.Numbers[near], most) {
			numbers = append(numbers, strconv.FormatInt(n, 10))
		}
		for c := range slices.Chunk(texts, perLine) {
			a.lines = append(a.lines, line{fmt.Sprintf("isodeltaH.Texts(%d, %s)", near, strings.Join(c, ", ")), -1})
		}
		for c := range slices.Chunk(numbers, perLine) {
			a.lines = append(a.lines, line{fmt.Sprintf("isodeltaH.Numbers(%d, %s)", near, strings.Join(c, ", ")), -1})
		}
	}
}

// FileName is the registering file's, in the folder of the package.
const FileName = "isodelta_calls_test.go"
