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
	inits   []initFunction
}

// initFunction is a declared init function with the functions of its package that it calls, directly or by way of others.
type initFunction struct {
	families map[string]bool // its own and those of what it calls
	reads    map[string]bool // variables that any of them mentions
	writes   []string        // variables that they may assign
}

func newVariables() *variables {
	return &variables{values: map[string]string{}, readers: map[string][]string{}, uses: map[string][]string{}}
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

// addInit notes which package variables a declared init function may assign: any of those that it mentions, and those that functions of its
// package assign on its behalf.
func (v *variables) addInit(fn *ssa.Function) {
	init := initFunction{families: map[string]bool{}, reads: map[string]bool{}}
	writes := map[string]bool{}
	for work := []*ssa.Function{fn}; len(work) > 0; {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		family := f.Pkg.Pkg.Path() + "\x00" + f.String()
		if init.families[family] {
			continue
		}
		init.families[family] = true
		mentioned := mentionedVariables(f)
		for _, name := range mentioned {
			init.reads[name] = true
		}
		if f != fn {
			mentioned = assignedVariables(f)
		}
		for _, name := range mentioned {
			writes[name] = true
		}
		for operand := range operandsOf(f) {
			if called, ok := operand.(*ssa.Function); ok {
				if called = declaration(called); called.Pkg == fn.Pkg && called.Synthetic == "" {
					work = append(work, called)
				}
			}
		}
	}
	init.writes = slices.Sorted(maps.Keys(writes))
	v.inits = append(v.inits, init)
}

// assignedVariables are the package variables that a function or a closure in it assigns, or puts something into.
func assignedVariables(fn *ssa.Function) []string {
	var out []string
	for _, f := range bodies(fn) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				var into ssa.Value
				switch instr := instr.(type) {
				case *ssa.Store:
					into = instr.Addr
				case *ssa.MapUpdate:
					into = instr.Map
				default:
					continue
				}
				if g := variableBehind(into); g != nil && g.Object() != nil {
					if name := g.Pkg.Pkg.Path() + "." + g.Name(); !slices.Contains(out, name) {
						out = append(out, name)
					}
				}
			}
		}
	}
	return out
}

// variableBehind returns the package variable that a place lies in, or nil.
func variableBehind(place ssa.Value) *ssa.Global {
	for {
		switch x := place.(type) {
		case *ssa.Global:
			return x
		case *ssa.FieldAddr:
			place = x.X
		case *ssa.IndexAddr:
			place = x.X
		case *ssa.UnOp:
			place = x.X
		default:
			return nil
		}
	}
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
	for moved := true; moved; {
		moved = false
		for _, side := range []*variables{base, head} {
			for name, uses := range side.uses {
				if !changed[name] && slices.ContainsFunc(uses, func(used string) bool { return changed[used] || differs(used) }) {
					changed[name], moved = true, true
				}
			}
			for _, init := range side.inits {
				if !init.affected(changed, differs) {
					continue
				}
				for _, name := range init.writes {
					moved = moved || !changed[name]
					changed[name] = true
				}
			}
		}
	}
	return changed
}

// affected reports whether an init function executes something that differs, or mentions a variable that does.
func (f initFunction) affected(changed map[string]bool, differs func(family string) bool) bool {
	for family := range f.families {
		if differs(family) {
			return true
		}
	}
	for name := range f.reads {
		if changed[name] {
			return true
		}
	}
	return false
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
func dataReaders(b, h *Program, early map[string]bool, changed []Function) []Function {
	known := map[string]bool{}
	var inits []string // families of changed functions that only initialisers mention
	for _, f := range changed {
		known[f.Package+" "+f.Name] = true
	}
	baseFamily, headFamily := b.byFamily(), h.byFamily()
	for family, hf := range headFamily {
		bf := baseFamily[family]
		if bf != nil && bf.canonical != hf.canonical && !hf.packageInit && (hf.init || early[family]) {
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
		if bf == nil || hf == nil || hf.init || early[family] || known[hf.pkg+" "+hf.name] {
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

func sortFunctions(list []Function) {
	slices.SortFunc(list, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Package, b.Package))
	})
}
