package event

import (
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// source is this package's declarations. The schema takes its descriptions from
// their comments, so that there is one text for both.
//
//go:embed event.go graph.go adequacy.go phase.go relation.go
var source embed.FS

// Schema returns the JSON schema (draft 2020-12) of one line of the stream. It
// is that of the lines this version writes: readers are to ignore fields and
// types that they do not know, and so the schema allows further fields, but no
// further types.
func Schema() ([]byte, error) {
	describe, err := comments()
	if err != nil {
		return nil, err
	}
	reflector := &jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true,
		LookupComment: func(t reflect.Type, field string) string { return describe[t.Name()+"."+field] },
	}
	root := &jsonschema.Schema{
		Version:     jsonschema.Version,
		Title:       fmt.Sprintf("One line of an isodelta stream, format %d", Version),
		Definitions: jsonschema.Definitions{},
	}
	for _, c := range codecs() {
		s := reflector.Reflect(c.zero)
		s.Version = ""
		bound(s, reflect.TypeOf(c.zero))
		if c.name == (Finding{}).EventType() {
			nameTest(s)
		}
		root.Definitions[c.name] = s
		root.OneOf = append(root.OneOf, &jsonschema.Schema{Ref: "#/$defs/" + c.name})
	}
	b, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of the event stream: %w", err)
	}
	return append(b, '\n'), nil
}

// bound adds what Validate checks and the reflector does not know: texts and lists
// have a largest length, counts and lines are not negative, and what says what an event is about is not empty.
func bound(s *jsonschema.Schema, t reflect.Type) {
	one := uint64(1)
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p, ok := s.Properties.Get(name)
		if !ok {
			continue
		}
		inner, most := field.Type, boundsOf(field)
		if inner.Kind() == reflect.Slice {
			items := uint64(most.items)
			p.MaxItems = &items
			inner, p = inner.Elem(), p.Items
		}
		switch inner.Kind() {
		case reflect.Pointer:
			bound(p, inner.Elem())
		case reflect.Struct:
			bound(p, inner)
		case reflect.Int, reflect.Float64:
			p.Minimum = json.Number("0")
			if required(t, name) {
				p.Minimum = json.Number("1")
			}
		case reflect.String:
			if inner != reflect.TypeFor[Ranges]() {
				length := uint64(most.length)
				p.MaxLength = &length
			}
			if required(t, name) {
				p.MinLength = &one
			}
		}
	}
}

// nameTest demands of a finding that was not reached by a call of our own that
// it names a test, and whose it is.
func nameTest(s *jsonschema.Schema) {
	one := uint64(1)
	reached, test := jsonschema.NewProperties(), jsonschema.NewProperties()
	reached.Set("rung", &jsonschema.Schema{Const: string(Reached)})
	test.Set("test", &jsonschema.Schema{MinLength: &one})
	s.If = &jsonschema.Schema{Properties: reached}
	s.Else = &jsonschema.Schema{Properties: test, Required: []string{"suite", "test"}}
}

// comments reads the doc comments of types ("T.") and fields ("T.Field").
func comments() (map[string]string, error) {
	texts := map[string]string{}
	var decls []ast.Decl
	for _, name := range []string{"event.go", "graph.go", "adequacy.go", "phase.go", "relation.go"} {
		text, err := source.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("schema of the event stream: %w", err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("schema of the event stream: %w", err)
		}
		decls = append(decls, file.Decls...)
	}
	for _, decl := range decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			ts, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			texts[ts.Name.Name+"."] = oneLine(gen.Doc)
			if st, ok := ts.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					for _, n := range f.Names {
						texts[ts.Name.Name+"."+n.Name] = strings.TrimSpace(oneLine(f.Doc) + " " + oneLine(f.Comment))
					}
				}
			}
		}
	}
	return texts, nil
}

func oneLine(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}
