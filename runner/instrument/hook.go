package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// Unhooked is a function that was to be hooked and is not, and why.
type Unhooked struct {
	load.Place // of its func keyword
	Reason     string
}

// hook makes a call of probe.Enter, while probe.Watch is on, the first thing
// that a function does after its entry mark. It is given the function itself,
// its receiver and its arguments, which get names where they have none.
func (c *fileCode) hook(fn *ast.FuncDecl) {
	at := c.place(fn.Pos())
	number, ok := c.cfg.Hooks[at]
	if !ok {
		return
	}
	delete(c.unhooked, at)
	if why := c.hookable(fn); why != "" {
		c.prog.Unhooked = append(c.prog.Unhooked, Unhooked{at, why})
		return
	}
	args := append([]string{strconv.Itoa(number), c.functionValue(fn)}, c.nameParameters(fn)...)
	p := c.names.probe
	c.edits.open(c.offset(fn.Body.Lbrace)+1, "if "+p+".Watch {"+p+".Enter("+strings.Join(args, ", ")+")};")
}

// hookable says why a function cannot name itself in its own body.
func (c *fileCode) hookable(fn *ast.FuncDecl) string {
	name := fn.Name.Name
	switch {
	case name == "_":
		return "has no name"
	case isInit(fn):
		return "init cannot be called"
	case fn.Recv == nil && name == "main" && c.syntax.Name.Name == "main":
		return "main is the program"
	}
	said := name
	if fn.Recv != nil {
		said, _ = Receiver(fn.Recv.List[0].Type)
	}
	for id := range declaredBy(fn) {
		if id.Name == said {
			return fmt.Sprintf("declares another %s among its parameters", said)
		}
	}
	return ""
}

// declaredBy returns the identifiers that a function's head declares within its
// body.
func declaredBy(fn *ast.FuncDecl) map[*ast.Ident]bool {
	ids := map[*ast.Ident]bool{}
	for _, l := range []*ast.FieldList{fn.Recv, fn.Type.TypeParams, fn.Type.Params, fn.Type.Results} {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, id := range f.Names {
				ids[id] = true
			}
		}
	}
	if fn.Recv != nil {
		for _, id := range receiverParameters(fn.Recv.List[0].Type) {
			ids[id] = true
		}
	}
	return ids
}

// receiverParameters are the type parameters that a receiver declares.
func receiverParameters(e ast.Expr) []*ast.Ident {
	var list []ast.Expr
	switch x := e.(type) {
	case *ast.ParenExpr:
		return receiverParameters(x.X)
	case *ast.StarExpr:
		return receiverParameters(x.X)
	case *ast.IndexExpr:
		list = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		list = x.Indices
	}
	var ids []*ast.Ident
	for _, e := range list {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// functionValue is an expression for the function itself, with the type
// parameters in scope: Name, Name[K, V], (T).M, (*List[T]).M. Blank type
// parameters get a name.
func (c *fileCode) functionValue(fn *ast.FuncDecl) string {
	var parameters []*ast.Ident
	if fn.Recv != nil {
		parameters = receiverParameters(fn.Recv.List[0].Type)
	} else if l := fn.Type.TypeParams; l != nil {
		for _, f := range l.List {
			parameters = append(parameters, f.Names...)
		}
	}
	list := ""
	if len(parameters) > 0 {
		names := make([]string, len(parameters))
		for i, id := range parameters {
			names[i] = c.nameIdent(id, "type"+strconv.Itoa(i))
		}
		list = "[" + strings.Join(names, ", ") + "]"
	}
	if fn.Recv == nil {
		return fn.Name.Name + list
	}
	base, pointer := Receiver(fn.Recv.List[0].Type)
	if pointer {
		base = "*" + base
	}
	return "(" + base + list + ")." + fn.Name.Name
}

// nameIdent returns an identifier's name, a new one for a blank.
func (c *fileCode) nameIdent(id *ast.Ident, fresh string) string {
	if id.Name != "_" {
		return id.Name
	}
	name := c.names.hook + fresh
	c.edits.replace(c.offset(id.Pos()), c.offset(id.End()), name)
	return name
}

// nameParameters lists receiver and parameters by name.
func (c *fileCode) nameParameters(fn *ast.FuncDecl) []string {
	var names []string
	if fn.Recv != nil {
		names = c.nameFields(fn.Recv, "receiver", names)
	}
	return c.nameFields(fn.Type.Params, "", names)
}

func (c *fileCode) nameFields(l *ast.FieldList, fresh string, names []string) []string {
	for _, f := range l.List {
		if len(f.Names) == 0 {
			name := c.names.hook + fresh + strconv.Itoa(len(names))
			c.edits.open(c.offset(f.Type.Pos()), name+" ")
			names = append(names, name)
		}
		for _, id := range f.Names {
			names = append(names, c.nameIdent(id, fresh+strconv.Itoa(len(names))))
		}
	}
	return names
}

// unhook notes why a function that was met gets no hook.
func (c *fileCode) unhook(fn *ast.FuncDecl, reason string) {
	at := c.place(fn.Pos())
	if _, ok := c.cfg.Hooks[at]; ok {
		delete(c.unhooked, at)
		c.prog.Unhooked = append(c.prog.Unhooked, Unhooked{at, reason})
	}
}

func sortUnhooked(u []Unhooked) {
	slices.SortFunc(u, func(a, b Unhooked) int { return a.Place.Compare(b.Place) })
}

// unhookAll notes why functions that were not met get no hook.
func (p *Program) unhookAll(pending map[load.Place]int, which func(load.Place) bool, reason string) {
	for at := range pending {
		if which(at) {
			delete(pending, at)
			p.Unhooked = append(p.Unhooked, Unhooked{at, reason})
		}
	}
}
