package instrument

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// references knows which package-level declarations of the test files of one
// package refer to which. A declaration is named file:name.
type references struct {
	tree    *load.Tree
	places  map[string]place
	methods map[string][]string // of a type
}

// place is where a declaration's text is, and who can resolve its names.
type place struct {
	f    *file
	info *types.Info
	node ast.Node // to follow
	text ast.Node // to digest
}

func newReferences(t *load.Tree) *references {
	return &references{tree: t, places: map[string]place{}, methods: map[string][]string{}}
}

// add registers one test package.
func (r *references) add(w *testPackage) {
	types := map[string]string{} // name → key
	for _, f := range w.files {
		for _, n := range w.kept[f] {
			p := place{f: f, info: w.info, node: n, text: n}
			if v, ok := n.(*ast.ValueSpec); ok {
				if d := group(f.syntax, v); d.Tok == token.CONST {
					p.text = d // a value may be repeated or counted from above
				}
			}
			for _, name := range declares(n) {
				r.places[f.rel+":"+name] = p
				if _, ok := n.(*ast.TypeSpec); ok {
					types[name] = f.rel + ":" + name
				}
			}
		}
	}
	for _, f := range w.files {
		for _, n := range w.kept[f] {
			if fn, ok := n.(*ast.FuncDecl); ok && fn.Recv != nil && len(fn.Recv.List) > 0 {
				base, _ := Receiver(fn.Recv.List[0].Type)
				key := types[base]
				r.methods[key] = append(r.methods[key], f.rel+":"+functionName(fn))
			}
		}
	}
}

func group(f *ast.File, s ast.Spec) *ast.GenDecl {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && slices.Contains(g.Specs, s) {
			return g
		}
	}
	return nil
}

// from lists what a declaration refers to, directly or not, without itself.
// The methods of a type count as used with it: they may be called through an
// interface.
func (r *references) from(key string) []string {
	seen := map[string]bool{key: true}
	for todo := []string{key}; len(todo) > 0; {
		p := r.places[todo[0]]
		next := slices.Clone(r.methods[todo[0]])
		todo = todo[1:]
		if p.node != nil {
			ast.Inspect(p.node, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if k, ok := r.key(p.info.Uses[id]); ok {
						next = append(next, k)
					}
				}
				return true
			})
		}
		for _, k := range next {
			if !seen[k] {
				seen[k] = true
				todo = append(todo, k)
			}
		}
	}
	delete(seen, key)
	out := make([]string, 0, len(seen))
	for k := range seen {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// key names a package-level object, or a method, that a test file declares.
func (r *references) key(obj types.Object) (string, bool) {
	if obj == nil || obj.Pkg() == nil {
		return "", false
	}
	name := obj.Name()
	if fn, ok := obj.(*types.Func); ok {
		obj = fn.Origin()
		if recv := fn.Signature().Recv(); recv != nil {
			t, pointer := types.Unalias(recv.Type()), false
			if p, ok := t.(*types.Pointer); ok {
				t, pointer = types.Unalias(p.Elem()), true
			}
			n, ok := t.(*types.Named)
			if !ok {
				return "", false
			}
			if name = n.Obj().Name() + "." + name; pointer {
				name = "(*" + n.Obj().Name() + ")." + fn.Name()
			}
		} else if obj.Parent() != obj.Pkg().Scope() {
			return "", false
		}
	} else if obj.Parent() != obj.Pkg().Scope() {
		return "", false
	}
	tok := r.tree.Fset.File(obj.Pos())
	if tok == nil || !isTestFile(tok.Name()) {
		return "", false
	}
	key := r.tree.Rel(tok.Name()) + ":" + name
	_, ok := r.places[key]
	return key, ok
}

// digest hashes the tokens of declarations; extra is added as it is.
func (r *references) digest(keys []string, extra string) string {
	h := sha256.New()
	for _, k := range keys {
		p, ok := r.places[k]
		if !ok {
			continue
		}
		_, name, _ := strings.Cut(k, ":")
		h.Write([]byte(name + "\x00"))
		for _, t := range tokens(p.f.src[p.f.offset(p.text.Pos()):p.f.offset(p.text.End())]) {
			h.Write([]byte(t + "\x00"))
		}
	}
	h.Write([]byte(extra))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// tokens splits source text; comments and the line breaks that gofmt may
// choose are left out.
func tokens(src []byte) []string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, nil, 0)
	var out []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON:
			lit = ";"
		case lit == "":
			lit = tok.String()
		}
		// A comma before a closing bracket and a semicolon before a closing
		// brace depend on line breaks only.
		if n := len(out); n > 0 && (lit == ")" || lit == "}") && (out[n-1] == "," || out[n-1] == ";") {
			out = out[:n-1]
		}
		out = append(out, lit)
	}
}
