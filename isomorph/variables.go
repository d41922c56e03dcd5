package isomorph

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// variables are the package variables of some packages: what initialises them, and which
// functions mention them.
type variables struct {
	values  map[string]string   // text of what initialises a variable, by its name; "" for nothing
	readers map[string][]string // families of functions that mention a variable
	uses    map[string][]string // what the initialiser of a variable mentions: variables, and functions by family
	writes  map[string][]string // variables that a declared init function may assign, by its family
}

func newVariables() *variables {
	return &variables{values: map[string]string{}, readers: map[string][]string{}, uses: map[string][]string{}, writes: map[string][]string{}}
}

func variable(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// addInitialisers notes what initialises the variables of a package.
func (v *variables) addInitialisers(u unit, prog *ssa.Program) {
	for _, name := range u.types.Scope().Names() {
		if declared, ok := u.types.Scope().Lookup(name).(*types.Var); ok {
			v.values[variable(declared)] = ""
		}
	}
	v.addEmbedded(u, prog.Fset)
	for _, init := range u.info.InitOrder {
		text := expressionText(u.info, init.Rhs)
		var uses []string
		ast.Inspect(init.Rhs, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				switch obj := u.info.Uses[id].(type) {
				case *types.Var:
					if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
						uses = append(uses, variable(obj))
					}
				case *types.Func:
					if fn := prog.FuncValue(obj); fn != nil && fn.Pkg != nil {
						uses = append(uses, fn.Pkg.Pkg.Path()+"\x00"+fn.String())
					}
				}
			}
			return true
		})
		for _, lhs := range init.Lhs {
			v.values[variable(lhs)] = text
			v.uses[variable(lhs)] = uses
		}
	}
}

// addReads notes which package variables a function mentions.
func (v *variables) addReads(fn *ssa.Function, family string) {
	for _, name := range mentionedVariables(fn) {
		v.readers[name] = append(v.readers[name], family)
	}
}

// addWrites notes which package variables a declared init function mentions: any of them
// it may assign.
func (v *variables) addWrites(fn *ssa.Function, family string) {
	v.writes[family] = mentionedVariables(fn)
}

// mentionedVariables are the package variables that a function or a closure in it names,
// each once.
func mentionedVariables(fn *ssa.Function) []string {
	var out []string
	for operand := range operandsOf(fn) {
		if g, ok := operand.(*ssa.Global); ok && g.Object() != nil {
			if name := g.Pkg.Pkg.Path() + "." + g.Name(); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// operandsOf yields what the instructions of a function and of its closures take.
func operandsOf(fn *ssa.Function) func(yield func(ssa.Value) bool) {
	return func(yield func(ssa.Value) bool) {
		for _, f := range bodies(fn) {
			for _, b := range f.Blocks {
				for _, instr := range b.Instrs {
					for _, operand := range instr.Operands(nil) {
						if !yield(*operand) {
							return
						}
					}
				}
			}
		}
	}
}

// changedVariables are those that are initialised otherwise, or with the help of
// something that differs.
func changedVariables(base, head *variables, differs func(family string) bool) map[string]bool {
	changed := map[string]bool{}
	for name, text := range head.values {
		if before, ok := base.values[name]; ok && before != text {
			changed[name] = true
		}
	}
	for _, side := range []*variables{base, head} {
		for family, names := range side.writes {
			if differs(family) {
				for _, name := range names {
					changed[name] = true
				}
			}
		}
	}
	for moved := true; moved; {
		moved = false
		for _, side := range []*variables{base, head} {
			for name, uses := range side.uses {
				if !changed[name] && slices.ContainsFunc(uses, func(used string) bool { return changed[used] || differs(used) }) {
					changed[name], moved = true, true
				}
			}
		}
	}
	return changed
}

// expressionText writes an expression so that only what it means counts: constants by
// value, and neither places nor comments.
func expressionText(info *types.Info, e ast.Expr) string {
	var b strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil {
			b.WriteByte(')')
			return true
		}
		if x, ok := n.(ast.Expr); ok {
			if tv, ok := info.Types[x]; ok && tv.Value != nil {
				fmt.Fprintf(&b, "(%s)", tv.Value.ExactString())
				return false
			}
		}
		fmt.Fprintf(&b, "(%T", n)
		switch n := n.(type) {
		case *ast.Ident:
			b.WriteString(" " + n.Name)
		case *ast.BasicLit:
			b.WriteString(" " + n.Value)
		case *ast.BinaryExpr:
			b.WriteString(" " + n.Op.String())
		case *ast.UnaryExpr:
			b.WriteString(" " + n.Op.String())
		case *ast.AssignStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.IncDecStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.BranchStmt:
			b.WriteString(" " + n.Tok.String())
		case *ast.GenDecl:
			b.WriteString(" " + n.Tok.String())
		}
		return true
	})
	return b.String()
}

// dataReaders returns the functions with a counterpart whose own code is the same and that
// mention package variables which are initialised otherwise. A function that changed
// counts as a part of an initialiser where initialisers alone mention it: the others
// show themselves what it does now.
func dataReaders(b, h *Program, changed []Function) []Function {
	known := map[string]bool{}
	var inits []string // families of changed functions that only initialisers mention
	for _, f := range changed {
		known[f.Package+" "+f.Name] = true
	}
	baseFamily, headFamily := b.byFamily(), h.byFamily()
	for family, hf := range headFamily {
		bf := baseFamily[family]
		if bf != nil && bf.canonical != hf.canonical && !hf.packageInit && (hf.init || isEarly(b, h, hf)) {
			inits = append(inits, family)
		}
	}
	names := changedVariables(b.variables, h.variables, func(family string) bool { return slices.Contains(inits, family) })
	reads := map[string][]string{} // by family
	for _, side := range []*Program{b, h} {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			for _, family := range side.variables.readers[name] {
				if short := side.tree.Short(name); !slices.Contains(reads[family], short) {
					reads[family] = append(reads[family], short)
				}
			}
		}
	}
	var out []Function
	for _, family := range slices.Sorted(maps.Keys(reads)) {
		bf, hf := baseFamily[family], headFamily[family]
		if bf == nil || hf == nil || hf.init || known[hf.pkg+" "+hf.name] {
			continue
		}
		// What was accepted of it is accepted with these values alone.
		sum := sha256.New()
		fmt.Fprintf(sum, "%x\n", hf.canonical)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if slices.Contains(reads[family], h.tree.Short(name)) {
				fmt.Fprintf(sum, "%s %s\n", name, h.variables.values[name])
			}
		}
		out = append(out, Function{Name: hf.name, Package: hf.pkg, Status: Changed, Data: reads[family],
			Digest: hex.EncodeToString(sum.Sum(nil)), Base: bf.span, Head: hf.span})
	}
	return out
}

// isEarly reports whether initialisers mention a function and nothing else does, as far as
// the code without tests goes.
func isEarly(b, h *Program, f *function) bool {
	return !f.exported() && (b.early[f.family] || h.early[f.family]) && !b.mentioned[f.family] && !h.mentioned[f.family]
}

// markEarly marks the functions that run before anything else does, and then never again.
func markEarly(b, h *Program, changed []Function) {
	early := map[string]bool{}
	for _, p := range []*Program{b, h} {
		for _, f := range p.functions {
			if !f.init && isEarly(b, h, f) {
				early[f.pkg+" "+f.name] = true
			}
		}
	}
	for i, f := range changed {
		changed[i].Early = early[f.Package+" "+f.Name]
	}
}

// noteMentions notes which declared functions a function mentions: when the package is
// initialised, or later.
func (p *Program) noteMentions(f *function) {
	mentioned := p.mentioned
	if f.init {
		mentioned = p.early
	}
	for operand := range operandsOf(f.fn) {
		fn, ok := operand.(*ssa.Function)
		if !ok || fn.Parent() != nil {
			continue
		}
		if fn = declaration(fn); fn.Pkg != nil && fn != f.fn {
			mentioned[fn.Pkg.Pkg.Path()+"\x00"+fn.String()] = true
		}
	}
}

// exported reports whether other packages can name the function. A method may be called
// through an interface.
func (f *function) exported() bool {
	return f.fn.Signature.Recv() != nil || ast.IsExported(f.fn.Name())
}

func sortFunctions(list []Function) {
	slices.SortFunc(list, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Package, b.Package))
	})
}
