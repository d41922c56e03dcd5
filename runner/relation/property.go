package relation

import (
	"fmt"
	"go/format"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// NotExported is a relation of which no property test can be made.
type NotExported struct {
	Relation Relation
	Reason   string
}

// RapidTest writes property tests with pgregory.net/rapid for relations of one
// package: a whole Go file, of the external test package if nothing unexported
// is needed. subject gives the function that a relation is about. Inputs are
// drawn from a stated domain: numbers up to a thousand (up to seven, where the
// type is of eight bits), short texts, slices and maps of up to eight elements,
// structs whose fields are exported. Relations of functions that take something
// else are left out, with the reason; with none that is left, file is nil.
//
// That a relation holds for the inputs that were tried before does not mean that
// it does for all of the domain: run the tests.
func RapidTest(pkg *types.Package, relations []Relation, subject func(function string) *Subject) (file []byte, left []NotExported, err error) {
	declares := func(name string) bool { return pkg.Scope().Lookup(name) != nil }
	external := pkg.Name() != "main"
	type property struct {
		relation Relation
		subject  *Subject
	}
	var list []property
	for _, r := range relations {
		s := subject(r.Function)
		reason := ""
		switch {
		case s == nil:
			reason = "its function is not known"
		case s.Package.Path() != pkg.Path():
			reason = "its function is of another package"
		case r.Form.Body != "":
			reason = "it is the body of a fuzz test, which draws inputs already"
		case r.Form.Check == "":
			reason = "it is not written as Go"
		default:
			reason = undrawable(s, pkg)
		}
		if reason != "" {
			left = append(left, NotExported{r, reason})
			continue
		}
		external = external && Exported(r, declares) == nil
		list = append(list, property{r, s})
	}
	if len(list) == 0 {
		return nil, left, nil
	}
	aliases := map[string]string{"testing": "testing", "pgregory.net/rapid": "rapid"}
	used := map[string]bool{}
	var tests strings.Builder
	helpers := map[string]string{} // tolerance → source
	for _, p := range list {
		b := newBody(p.relation, pkg.Name(), external, declares, aliases)
		text, helper, err := b.property(p.relation, p.subject, used)
		if err != nil {
			return nil, left, err
		}
		tests.WriteString(text)
		helpers[helper] = helper
		aliases = b.aliases
	}
	name := pkg.Name()
	if external {
		name += "_test"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\n%s%s", name, importBlock(aliases), tests.String())
	for _, h := range sortedKeys(helpers) {
		out.WriteString(h)
	}
	file, err = format.Source([]byte(out.String()))
	if err != nil {
		return nil, left, fmt.Errorf("the property tests for %s are no Go source: %w", pkg.Path(), err)
	}
	return file, left, nil
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		if k != "" {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// property writes one test.
func (b *body) property(r Relation, s *Subject, used map[string]bool) (text, helper string, err error) {
	if r.Tolerance > 0 { // one function for each tolerance
		b.helper = "near" + strings.NewReplacer("-", "", ".", "", "+", "").Replace(strconv.FormatFloat(r.Tolerance, 'g', -1, 64))
	} else {
		b.helper = "same"
	}
	name := b.helper
	b.taken[name] = true
	var lines []string
	i := 0
	for v := range s.Sig.Params().Variables() {
		p := b.form.Params[i]
		draw := b.draw(v.Type(), s.Package) + ".Draw(t, " + strconv.Quote(p.Name) + ")"
		if b.shared(i) {
			value := b.fresh(p.Name + "Drawn")
			b.makers[p.Name] = true
			lines = append(lines, value+" := "+draw, p.Name+" := func() "+b.typ(p.Type)+" { return "+b.copyOf(v.Type(), s.Package, value)+" }")
		} else {
			lines = append(lines, p.Name+" := "+draw)
		}
		i++
	}
	calls, shown, err := b.calls("return")
	if err != nil {
		return "", "", fmt.Errorf("a property test for relation %s of %s: %w", r.Name, r.Function, err)
	}
	check, err := b.check(r.Notation, "t.Fatalf", shown)
	if err != nil {
		return "", "", fmt.Errorf("a property test for relation %s of %s: %w", r.Name, r.Function, err)
	}
	test := propertyName(r, used)
	lines = slices.Concat(lines, calls, check)
	text = fmt.Sprintf("\n// %s: %s.\nfunc %s(t *testing.T) {\n\trapid.Check(t, func(t *rapid.T) {\n%s\n})\n}\n", test, strings.Join(strings.Fields(r.Notation), " "), test, strings.Join(lines, "\n"))
	if strings.Contains(text, name+"(") || strings.Contains(text, ", "+name+")") {
		helper = b.nearFunction()
	}
	return text, helper, nil
}

// propertyName names a test after function and relation.
func propertyName(r Relation, used map[string]bool) string {
	title := func(s string) string {
		var b strings.Builder
		upper := true
		for _, c := range s {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				upper = true
				continue
			}
			if upper {
				c = unicode.ToUpper(c)
			}
			upper = false
			b.WriteRune(c)
		}
		return b.String()
	}
	want := "TestRelation" + title(r.Function) + "_" + title(r.Name)
	name := want
	for i := 2; used[name]; i++ {
		name = want + strconv.Itoa(i)
	}
	used[name] = true
	return name
}

// maxDepth is the depth of types that are drawn.
const maxDepth = 3

// undrawable says why there is no generator for a function's parameters, "" if
// there is.
func undrawable(s *Subject, pkg *types.Package) string {
	i := 0
	for v := range s.Sig.Params().Variables() {
		if why := notDrawn(v.Type(), pkg, 0); why != "" {
			if i == 0 && s.Receiver {
				return "its receiver " + why
			}
			return fmt.Sprintf("parameter %d %s", i+1, why)
		}
		i++
	}
	return ""
}

func notDrawn(t types.Type, pkg *types.Package, depth int) string {
	if depth > maxDepth {
		return "is nested too deep"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsNumeric|types.IsString|types.IsBoolean) != 0 && u.Info()&types.IsComplex == 0 {
			return ""
		}
	case *types.Slice:
		return notDrawn(u.Elem(), pkg, depth+1)
	case *types.Map:
		if _, basic := u.Key().Underlying().(*types.Basic); basic {
			if why := notDrawn(u.Key(), pkg, depth+1); why != "" {
				return why
			}
			return notDrawn(u.Elem(), pkg, depth+1)
		}
	case *types.Pointer:
		if _, is := u.Elem().Underlying().(*types.Struct); is {
			return notDrawn(u.Elem(), pkg, depth+1)
		}
	case *types.Struct:
		if _, named := types.Unalias(t).(*types.Named); !named {
			return "is a struct without a name"
		}
		for f := range u.Fields() {
			if !f.Exported() {
				return "has unexported fields, which only the package's own functions fill rightly"
			}
			if why := notDrawn(f.Type(), pkg, depth+1); why != "" {
				return why
			}
		}
		return ""
	}
	return "is of a type without a generator, " + types.TypeString(t, types.RelativeTo(pkg))
}

// spelled is a type as the file has it.
func (b *body) spelled(t types.Type, pkg *types.Package) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == pkg.Path() && !b.external {
			return ""
		}
		if b.aliases[p.Path()] == "" {
			b.aliases[p.Path()] = b.fresh(p.Name())
		}
		return b.aliases[p.Path()]
	})
}

// draw writes a generator.
func (b *body) draw(t types.Type, pkg *types.Package) string {
	typ := b.spelled(t, pkg)
	convert := func(gen, of string) string {
		if of == typ {
			return gen
		}
		return fmt.Sprintf("rapid.Map(%s, func(v %s) %s { return %s })", gen, of, typ, goexpr.Convert(typ, "v"))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return convert("rapid.Bool()", "bool")
		case u.Info()&types.IsString != 0:
			return convert(`rapid.StringN(0, 12, -1)`, "string")
		case u.Kind() == types.Float32:
			return convert("rapid.Float32Range(-1000, 1000)", "float32")
		case u.Info()&types.IsFloat != 0:
			return convert("rapid.Float64Range(-1000, 1000)", "float64")
		}
		low, high := "-1000", "1000"
		switch u.Kind() {
		case types.Int8, types.Uint8:
			low, high = "-7", "7"
		case types.Int16, types.Uint16:
			low, high = "-100", "100"
		}
		if u.Info()&types.IsUnsigned != 0 {
			low = "0"
		}
		name := strings.ToUpper(u.Name()[:1]) + u.Name()[1:]
		of := u.Name()
		switch u.Kind() {
		case types.Uint8:
			name, of = "Byte", "byte"
			if typ == "uint8" {
				of = "uint8"
			}
		case types.Int32:
			name, of = "Int32", "int32"
			if typ == "rune" {
				of = "rune"
			}
		}
		return convert(fmt.Sprintf("rapid.%sRange(%s, %s)", name, low, high), of)
	case *types.Slice:
		elem := b.spelled(u.Elem(), pkg)
		return convert(fmt.Sprintf("rapid.SliceOfN(%s, 0, 8)", b.draw(u.Elem(), pkg)), "[]"+elem)
	case *types.Map:
		return convert(fmt.Sprintf("rapid.MapOfN(%s, %s, 0, 8)", b.draw(u.Key(), pkg), b.draw(u.Elem(), pkg)), "map["+b.spelled(u.Key(), pkg)+"]"+b.spelled(u.Elem(), pkg))
	case *types.Pointer:
		elem := b.spelled(u.Elem(), pkg)
		return fmt.Sprintf("rapid.Map(%s, func(v %s) %s { return &v })", b.draw(u.Elem(), pkg), elem, typ)
	case *types.Struct:
		var fields []string
		for f := range u.Fields() {
			fields = append(fields, fmt.Sprintf("%s: %s.Draw(t, %q)", f.Name(), b.draw(f.Type(), pkg), f.Name()))
		}
		return fmt.Sprintf("rapid.Custom(func(t *rapid.T) %s { return %s{%s} })", typ, typ, strings.Join(fields, ", "))
	}
	return ""
}

// copyOf writes an expression that copies a value that was drawn.
func (b *body) copyOf(t types.Type, pkg *types.Package, v string) string {
	if !shares(t, map[types.Type]bool{}) {
		return v
	}
	typ := b.spelled(t, pkg)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !shares(u.Elem(), map[types.Type]bool{}) {
			return "append(" + goexpr.Convert(typ, "nil") + ", " + v + "...)"
		}
		return fmt.Sprintf("func() %s { out := make(%s, len(%s)); for i, v := range %s { out[i] = %s }; return out }()", typ, typ, v, v, b.copyOf(u.Elem(), pkg, "v"))
	case *types.Map:
		return fmt.Sprintf("func() %s { out := make(%s, len(%s)); for k, v := range %s { out[k] = %s }; return out }()", typ, typ, v, v, b.copyOf(u.Elem(), pkg, "v"))
	case *types.Pointer:
		return fmt.Sprintf("func() %s { out := %s; return &out }()", typ, b.copyOf(u.Elem(), pkg, "(*"+v+")"))
	case *types.Struct:
		var fields []string
		for f := range u.Fields() {
			fields = append(fields, f.Name()+": "+b.copyOf(f.Type(), pkg, v+"."+f.Name()))
		}
		return typ + "{" + strings.Join(fields, ", ") + "}"
	}
	return v
}
