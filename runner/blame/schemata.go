package blame

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/isodelta/isodelta/runner/instrument"
)

// What chooses the unit that is put back, in a binary that holds many of them.
const (
	chosen   = "isodeltaBlamed" // a variable of each package
	variable = "ISODELTA_BLAMED"
)

// A variant is a function as it is without a unit, or what puts variables back, in a file of its own.
type variant struct {
	unit
	number int
	text   string // of the file
	// late says that code may have seen what it puts back before it does: see assigned.
	late bool
}

// file is the name of the variant's file. It is one of the first of its package: what an initialiser assigns there
// is what the package's own ones find.
func (v variant) file() string { return fmt.Sprintf("0isodelta_unit%d.go", v.number) }

// schemata is one file of head in which functions choose, when they are called, between what they are on head and
// their variants.
type schemata struct {
	text     string
	variants []variant
	next     int // the first number that is free
}

// schemataOf makes a file's functions choose. Variants are numbered from number on, and those that are
// dropped are left out. A function whose name, or signature, is another on base is left alone, and so is what no
// code can call.
func schemataOf(f fileEdits, number int, dropped map[string]bool, nameOf func(path string) string) (schemata, error) {
	src := strings.Join(f.head, "\n")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return schemata{}, err
	}
	s := schemata{}
	var edits []insertion
	var choosers strings.Builder
	for _, u := range f.units {
		var numbers []int
		try := func(late bool, write func(part unit, number int) (string, bool)) {
			for _, part := range append([]unit{u}, u.parts()...) {
				text, ok := write(part, number)
				if !ok {
					continue
				}
				if v := (variant{part, number, text, late}); !dropped[v.file()] {
					s.variants = append(s.variants, v)
					numbers = append(numbers, number)
				}
				number++
			}
		}
		d := functionAt(fset, file, u.declared)
		if d == nil {
			try(true, func(part unit, number int) (string, bool) { return assigned(f, part, number, nameOf) })
			continue
		}
		head := function{fset, src, d}
		try(false, func(part unit, number int) (string, bool) { return variantOf(f, part, head, number, nameOf) })
		if len(numbers) == 0 {
			continue
		}
		name := head.offset(d.Name.Pos())
		edits = append(edits, insertion{name, name, numbered(0)})
		choosers.WriteString("\n" + head.chooser(numbers))
	}
	s.text, s.next = insert(src, edits)+choosers.String(), number
	return s, nil
}

// function is a function's declaration in its source.
type function struct {
	fset *token.FileSet
	src  string
	*ast.FuncDecl
}

func (f function) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f function) source(n ast.Node) string { return f.src[f.offset(n.Pos()):f.offset(n.End())] }

// signature is all that stands before the body, but for comments and the layout.
func (f function) signature() string {
	return strings.Join(strings.Fields(f.src[f.offset(f.Pos()):f.offset(f.Body.Pos())]), " ")
}

// functionAt is the function that is declared on these lines; nil for none, or one that cannot be renamed.
func functionAt(fset *token.FileSet, file *ast.File, at lines) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || fset.Position(f.Pos()).Line != at.from || fset.Position(f.End()).Line != at.to {
			continue
		}
		if f.Name.Name == "_" || f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
			return nil
		}
		return f
	}
	return nil
}

// variantOf writes the file of a function as it is without a unit.
func variantOf(f fileEdits, u unit, head function, number int, nameOf func(path string) string) (string, bool) {
	src := f.without(u.hunks)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		base := function{fset, src, d}
		if base.signature() != head.signature() {
			continue
		}
		name := base.offset(d.Name.Pos()) - base.offset(d.Pos())
		text := base.source(d)
		text = fmt.Sprintf("package %s\n%s\n%s", file.Name.Name, importsOf(file), text[:name]+numbered(number)+text[name:])
		text, err = fitImports(text, f.text(), nameOf)
		return text, err == nil
	}
	return "", false
}

// numbered is what stands in front of a function's name, of a variant or, with 0, of what head has.
func numbered(n int) string { return fmt.Sprintf("isodelta%d_", n) }

// importsOf writes the imports of a file, one on a line.
func importsOf(file *ast.File) string {
	var b strings.Builder
	for _, spec := range file.Imports {
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		fmt.Fprintf(&b, "import %s %s\n", name, spec.Path.Value)
	}
	return b.String()
}

// chooser writes the function that stands for a function of head and its variants.
func (f function) chooser(numbers []int) string {
	callee, generic := "", ""
	var b strings.Builder
	b.WriteString("func ")
	if f.Recv != nil {
		fmt.Fprintf(&b, "(isodeltaReceiver %s) ", f.source(f.Recv.List[0].Type))
		callee = "isodeltaReceiver."
	}
	b.WriteString(f.Name.Name)
	if f.Type.TypeParams != nil {
		b.WriteString(f.source(f.Type.TypeParams))
		var names []string
		for _, field := range f.Type.TypeParams.List {
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
		}
		generic = "[" + strings.Join(names, ", ") + "]"
	}
	var parameters, arguments []string
	for _, field := range f.Type.Params.List {
		for range max(len(field.Names), 1) {
			name := fmt.Sprintf("isodelta%d", len(arguments))
			parameters = append(parameters, name+" "+f.source(field.Type))
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				name += "..."
			}
			arguments = append(arguments, name)
		}
	}
	fmt.Fprintf(&b, "(%s) ", strings.Join(parameters, ", "))
	result := ""
	if r := f.Type.Results; r != nil && len(r.List) > 0 {
		b.WriteString(f.source(r) + " ")
		result = "return "
	}
	call := func(n int) string {
		return fmt.Sprintf("%s%s%s%s%s(%s)", result, callee, numbered(n), f.Name.Name, generic, strings.Join(arguments, ", "))
	}
	b.WriteString("{\n\tswitch " + chosen + " {\n")
	for _, n := range numbers {
		fmt.Fprintf(&b, "\tcase %d:\n\t\t%s\n", n, call(n))
	}
	fmt.Fprintf(&b, "\tdefault:\n\t\t%s\n\t}\n}\n", call(0))
	return b.String()
}

// choice is the file that reads which unit is put back.
func choice(pkg string) string {
	return fmt.Sprintf(`package %s

import (
	isodeltaos "os"
	isodeltastrconv "strconv"
)

var %s = func() int {
	n, _ := isodeltastrconv.Atoi(isodeltaos.Getenv(%q))
	return n
}()
`, pkg, chosen, variable)
}

// goneOf writes what only base declares of a file, "" for nothing. has reports whether head's package has a
// name; methods have their receiver's type and a dot in front.
func goneOf(base string, has func(name string) bool, nameOf func(path string) string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", base, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, d := range file.Decls {
		names := namesOf(d)
		known := len(names) == 0
		for _, name := range names {
			known = known || has(name)
		}
		if !known {
			b.WriteString(base[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset] + "\n")
		}
	}
	if b.Len() == 0 {
		return "", nil
	}
	return fitImports("package "+file.Name.Name+"\n"+importsOf(file)+b.String(), base, nameOf)
}

// namesOf are the names that a declaration gives; none for imports, blanks and initialisers.
func namesOf(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch {
		case d.Recv != nil:
			base, _ := instrument.Receiver(d.Recv.List[0].Type)
			names = append(names, base+"."+d.Name.Name)
		case d.Name.Name != "init":
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}
