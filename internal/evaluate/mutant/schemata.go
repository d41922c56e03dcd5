package mutant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// Variable is the environment variable that chooses the mutant of a program
// built from schemata: its ID, or nothing for the original.
const Variable = "ISODELTA_MUTANT"

// Form says which mutants the schemata hold.
type Form struct {
	// Structural includes mutants that change which conditions a decision
	// has. Without them the schemata's leaf conditions are the original's.
	Structural bool
}

// A Program holds many mutants, of which one is active at run time: the one
// that the environment variable ISODELTA_MUTANT names when the program starts,
// or that its function IsodeltaMutant was last given.
type Program struct {
	// Files replaces or adds files, by name relative to the tree's root.
	Files map[string][]byte
	Holds []int // IDs of the mutants in it, ascending

	edits     map[string][]edit // by file, in order
	regions   map[string][]region
	checkable map[string][]byte // Files, without the imports of the generated ones
	unfit     []int
}

// An edit replaces bytes of the original; most only insert.
type edit struct {
	start, end int
	text       string
	place      int // at one offset: closing, opening, replacing
	depth      int // of the rewritten node
	shape      shape
	region     int
}

const (
	closing = iota
	opening
	replacing
)

// A region is where, in the new file, the rewriting of one node stands.
type region struct {
	ids        []int
	start, end int
}

// Schemata writes the program that holds the given mutants of the tree, except
// Plain ones and, unless the form says so, Structural ones. Lines are kept.
func Schemata(t *load.Tree, mutants []Mutant, form Form) (*Program, error) {
	all, sources, err := find(t)
	if err != nil {
		return nil, err
	}
	type key struct {
		file, replacement string
		start, end        int
		op                Operator
	}
	keyOf := func(m Mutant) key { return key{m.File, m.Replacement, m.Start, m.End, m.Operator} }
	known := map[key]candidate{}
	for _, c := range all {
		known[keyOf(c.Mutant)] = c
	}
	var held []candidate
	for _, m := range mutants {
		c, ok := known[keyOf(m)]
		if !ok {
			return nil, fmt.Errorf("the tree at %s has no place for mutant %s; it was made from another tree", t.Dir, m)
		}
		if !m.Plain && (form.Structural || !m.Structural) {
			c.Mutant = m
			held = append(held, c)
		}
	}
	prog := write(t, held, sources)
	if len(prog.unfit) > 0 {
		return nil, fmt.Errorf("mutants %v cannot be held by schemata and are not marked Plain; take mutants from Make", prog.unfit)
	}
	return prog, nil
}

// Shift returns the place in the program of what stands at a place of the original.
// Of a leaf condition it gives the start of what it became, if the program holds no
// Structural mutants.
func (p *Program) Shift(at load.Place) load.Place {
	out := at
	for _, e := range p.edits[at.File] {
		if e.start > at.Offset || e.start == at.Offset && e.place != closing || e.end > at.Offset {
			break
		}
		out.Offset += len(e.text) - (e.end - e.start)
	}
	return out
}

// blame returns the mutants of the smallest region around a place, or nil.
func (p *Program) blame(file string, offset int) []int {
	var best *region
	for i, r := range p.regions[file] {
		if r.start <= offset && offset <= r.end && (best == nil || r.end-r.start < best.end-best.start) {
			best = &p.regions[file][i]
		}
	}
	if best == nil {
		return nil
	}
	return best.ids
}

// write rewrites the files of the candidates.
func write(t *load.Tree, held []candidate, sources map[string][]byte) *Program {
	p := &Program{
		Files: map[string][]byte{}, checkable: map[string][]byte{},
		edits: map[string][]edit{}, regions: map[string][]region{},
	}
	type place struct {
		node  ast.Node
		shape shape
	}
	var order []place
	groups := map[place][]candidate{}
	packages := map[*load.Package]*strings.Builder{} // generated functions
	for _, c := range held {
		p.Holds = append(p.Holds, c.ID)
		at := place{c.node, c.shape}
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], c)
		if packages[c.pkg] == nil {
			packages[c.pkg] = new(strings.Builder)
		}
	}
	sort.Ints(p.Holds)
	for _, at := range order {
		group := groups[at]
		first := group[0]
		s := site{tree: t, group: group, src: sources[first.File]}
		edits, function, ok := s.rewrite()
		if !ok {
			p.unfit = append(p.unfit, s.ids()...)
			continue
		}
		packages[first.pkg].WriteString(function)
		for _, e := range edits {
			e.depth, e.shape, e.region = first.depth, first.shape, len(p.regions[first.File])
			p.edits[first.File] = append(p.edits[first.File], e)
		}
		p.regions[first.File] = append(p.regions[first.File], region{ids: s.ids()})
	}
	for file, edits := range p.edits {
		slices.SortStableFunc(edits, compareEdits)
		p.Files[file] = applyEdits(sources[file], edits, p.regions[file])
		p.checkable[file] = p.Files[file]
	}
	for pkg, functions := range packages {
		names := generatedIn(t, pkg)
		name := pkg.Code.Name
		p.Files[names[0]] = []byte(fmt.Sprintf(selector, name, Variable, Variable))
		p.Files[names[1]] = []byte(fmt.Sprintf(functionsHead, name) + functions.String())
		p.checkable[names[0]] = []byte("package " + name + "\nvar isodeltaMutant int\n")
		p.checkable[names[1]] = p.Files[names[1]]
	}
	return p
}

// compareEdits orders edits by place. Where several stand at one offset, those
// that close come first, inner before outer, then those that open, outer
// before inner.
func compareEdits(a, b edit) int {
	if c := cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.place, b.place)); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(a.depth, b.depth), -cmp.Compare(a.shape, b.shape))
	if a.place == closing {
		return -c
	}
	return c
}

func applyEdits(src []byte, edits []edit, regions []region) []byte {
	for i := range regions {
		regions[i].start = -1
	}
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, src[at:e.start]...)
		r := &regions[e.region]
		if r.start < 0 {
			r.start = len(out)
		}
		out = append(out, e.text...)
		r.end = len(out)
		at = e.end
	}
	return append(out, src[at:]...)
}

// A site is one node and the mutants that share its rewriting.
type site struct {
	tree  *load.Tree
	group []candidate
	src   []byte
}

func (s site) ids() []int {
	var out []int
	for _, c := range s.group {
		out = append(out, c.ID)
	}
	return out
}

// name is that of the site's generated function.
func (s site) name() string { return fmt.Sprintf("isodeltaSite%d", s.group[0].ID) }

func (s site) offset(p token.Pos) int { return s.tree.Fset.File(p).Offset(p) }

func (s site) text(n ast.Node) string { return string(s.src[s.offset(n.Pos()):s.offset(n.End())]) }

func (s site) open(n ast.Node, text string) edit {
	return edit{start: s.offset(n.Pos()), end: s.offset(n.Pos()), text: text, place: opening}
}

func (s site) close(n ast.Node, text string) edit {
	return edit{start: s.offset(n.End()), end: s.offset(n.End()), text: text, place: closing}
}

func (s site) replace(pos token.Pos, tok token.Token, text string) edit {
	at := s.offset(pos)
	return edit{start: at, end: at + len(tok.String()), text: text, place: replacing}
}

// rewrite returns the edits in the file and the function they call, if it is
// their own; it reports false where there is no such rewriting.
func (s site) rewrite() (edits []edit, function string, ok bool) {
	info := s.group[0].pkg.Code.TypesInfo
	switch n := s.group[0].node.(type) {
	case *ast.BinaryExpr:
		switch s.group[0].shape {
		case shapeAndOr:
			helper := "isodeltaAnd"
			if n.Op == token.LOR {
				helper = "isodeltaOr"
			}
			return []edit{
				s.open(n, fmt.Sprintf("%s(%d, ", helper, s.group[0].ID)),
				// The parenthesis keeps a following line break from ending
				// the return statement.
				s.replace(n.OpPos, n.Op, ", func() bool { return ("),
				s.close(n, ") })"),
			}, "", true
		case shapeBinary:
			arguments, ok := s.typeArguments(n, info)
			if !ok {
				return nil, "", false
			}
			return []edit{
				s.open(n, s.name()+arguments+"("),
				s.replace(n.OpPos, n.Op, ","),
				s.close(n, ")"),
			}, s.binaryFunction(n.Op), true
		}
	case *ast.AssignStmt:
		if s.group[0].shape == shapeAssign {
			if !pure(n.Lhs[0]) {
				return nil, "", false
			}
			op, _ := assignment(n.Tok)
			return []edit{
				s.replace(n.TokPos, n.Tok, fmt.Sprintf("= %s(%s,", s.name(), oneLine(s.text(n.Lhs[0])))),
				s.close(n, ")"),
			}, s.binaryFunction(op), true
		}
	case *ast.IncDecStmt:
		if s.group[0].shape == shapeStep {
			if !pure(n.X) {
				return nil, "", false
			}
			op := token.SUB
			if n.Tok == token.INC {
				op = token.ADD
			}
			return []edit{
				s.replace(n.TokPos, n.Tok, fmt.Sprintf(" = %s(%s, 1)", s.name(), oneLine(s.text(n.X)))),
			}, s.binaryFunction(op), true
		}
	}
	n := s.group[0].node
	switch s.group[0].shape {
	case shapeKeep:
		return []edit{s.open(n, fmt.Sprintf("for range isodeltaKeep(%d) { ", s.group[0].ID)), s.close(n, " }")}, "", true
	case shapeNot:
		argument := ""
		if _, named := info.TypeOf(n.(ast.Expr)).(*types.Named); named {
			t, ok := s.typeText(info.TypeOf(n.(ast.Expr)))
			if !ok {
				return nil, "", false
			}
			argument = "[" + t + "]"
		}
		return s.nest(n, func(c candidate) string { return fmt.Sprintf("isodeltaNot%s(%d, ", argument, c.ID) }), "", true
	case shapePick:
		t, ok := s.typeText(info.TypeOf(n.(ast.Expr)))
		if !ok && s.group[0].count {
			t, ok = "uint", true
		}
		if !ok {
			return nil, "", false
		}
		for _, c := range s.group {
			if strings.Contains(c.alt, "\n") {
				return nil, "", false // repeating it would add lines
			}
		}
		return s.nest(n, func(c candidate) string { return fmt.Sprintf("isodeltaPick[%s](%d, %s, ", t, c.ID, c.alt) }), "", true
	}
	return nil, "", false
}

// nest wraps a node in one call per mutant.
func (s site) nest(n ast.Node, call func(candidate) string) []edit {
	var text strings.Builder
	for _, c := range s.group {
		text.WriteString(call(c))
	}
	return []edit{s.open(n, text.String()), s.close(n, strings.Repeat(")", len(s.group)))}
}

// oneLine writes an operand again without its line breaks, which stand after
// dots and brackets only.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// pure reports whether an operand can be written twice: evaluating it has no
// effect, and it holds nothing that is itself mutated.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return pure(e.X)
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.StarExpr:
		return pure(e.X)
	case *ast.IndexExpr:
		return pure(e.X) && pure(e.Index)
	}
	return false
}

// typeText writes a type as the site's file can name it.
func (s site) typeText(t types.Type) (string, bool) {
	if b, ok := t.(*types.Basic); t == nil || ok && b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	c := s.group[0]
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == c.pkg.Code.Types {
			return ""
		}
		for _, spec := range c.syntax.Imports {
			if name := c.pkg.Code.TypesInfo.PkgNameOf(spec); name != nil && name.Imported() == p && name.Name() != "_" && name.Name() != "." {
				return name.Name()
			}
		}
		ok = false
		return ""
	})
	return text, ok
}

// typeArguments are needed where an operand is an untyped shift, whose type
// comes from its surroundings; elsewhere inference gives the right types.
func (s site) typeArguments(e *ast.BinaryExpr, info *types.Info) (string, bool) {
	t := info.TypeOf(e)
	if relational(e.Op) {
		t = info.TypeOf(e.X)
		if info.Types[e.X].Value != nil {
			t = info.TypeOf(e.Y)
		}
	}
	need := shift(e.Op) && info.Types[e.X].Value != nil
	for _, operand := range []ast.Expr{e.X, e.Y} {
		ast.Inspect(operand, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && shift(b.Op) && info.Types[b].Value == nil {
				need = true
			}
			return true
		})
	}
	if !need {
		return "", true
	}
	text, ok := s.typeText(t)
	return "[" + text + "]", ok
}

func shift(op token.Token) bool { return op == token.SHL || op == token.SHR }

// binaryFunction writes the function of a site with two operands.
func (s site) binaryFunction(op token.Token) string {
	parameters, second, result := "T isodeltaNumber", "T", "T"
	switch {
	case relational(op):
		parameters, result = "T isodeltaOrdered", "bool"
	case shift(op):
		parameters, second = "T, N isodeltaInteger", "N"
	case op == token.REM || op == token.AND || op == token.OR || op == token.XOR || op == token.AND_NOT:
		parameters = "T isodeltaInteger"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc %s[%s](a T, b %s) %s {\n\tswitch isodeltaMutant {\n", s.name(), parameters, second, result)
	for _, c := range s.group {
		fmt.Fprintf(&b, "\tcase %d:\n\t\treturn a %s b\n", c.ID, c.op)
	}
	fmt.Fprintf(&b, "\t}\n\treturn a %s b\n}\n", op)
	return b.String()
}
