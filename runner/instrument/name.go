package instrument

import (
	"bytes"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/probe"
)

// names are the identifiers that rewriting adds to a package. None occurs in
// any of its files, not even in a comment, so none can clash or be shadowed.
type names struct {
	probe   string // the probe's import
	tag     string // holds the tag of a switch
	test    string // a test's unnamed parameter
	testing string // import of package testing in added files
	hook    string // begins the names of parameters that have none
}

func freshNames(files []*file) names {
	prefix := "isodelta_"
	for n := 1; used(files, prefix); n++ {
		prefix = "isodelta" + strconv.Itoa(n) + "_"
	}
	return names{prefix + "probe", prefix + "tag", prefix + "t", prefix + "testing", prefix}
}

func used(files []*file, s string) bool {
	for _, f := range files {
		if bytes.Contains(f.src, []byte(s)) {
			return true
		}
	}
	return false
}

// importProbe adds the import on the package clause's line.
func (f *file) importProbe(n names) {
	f.edits.open(f.offset(f.syntax.Name.End()), "; import "+n.probe+" "+strconv.Quote(probe.Path))
}

// functionName is Push, T.Push or (*T).Push.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	base, pointer := Receiver(d.Recv.List[0].Type)
	if pointer {
		return "(*" + base + ")." + d.Name.Name
	}
	return base + "." + d.Name.Name
}

// Receiver names the base type of a receiver, without type parameters, "_" where it has no name.
func Receiver(e ast.Expr) (base string, pointer bool) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			pointer = true
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name, pointer
		default:
			return "_", pointer
		}
	}
}

// nosplit finds the functions under a //go:nosplit directive. Like the
// compiler it takes any such comment since the declaration before.
func nosplit(f *ast.File) map[*ast.FuncDecl]bool {
	out := map[*ast.FuncDecl]bool{}
	before := f.Name.End()
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && directive(f, before, fn.Pos(), "//go:nosplit") {
			out[fn] = true
		}
		before = d.End()
	}
	return out
}

func directive(f *ast.File, from, to token.Pos, name string) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() >= from && c.Pos() < to && strings.TrimSpace(c.Text) == name {
				return true
			}
		}
	}
	return false
}
