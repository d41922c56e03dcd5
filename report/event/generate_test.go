package event

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/isodelta/isodelta/report/event/schema"
)

var update = flag.Bool("update", false, "write schema/stream.schema.json")

const schemaFile = "schema/stream.schema.json"

// TestSchemaIsGenerated: the schema in the repository is that of the types.
func TestSchemaIsGenerated(t *testing.T) {
	t.Parallel()
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(schema.Stream()) != string(want) {
		t.Errorf("%s is not the schema of the types: go test ./report/event -run SchemaIsGenerated -update", schemaFile)
	}
}

// sources hold the declarations of the events. The schema takes its descriptions
// from their comments, so that there is one text for both.
func sources() []string {
	return []string{"event.go", "graph.go", "adequacy.go", "phase.go", "relation.go"}
}

// generate makes the JSON schema (draft 2020-12) of one line of the stream. It
// is that of the lines this version writes: readers are to ignore fields and
// types that they do not know, and so the schema allows further fields, but no
// further types.
func generate() ([]byte, error) {
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
		return nil, err
	}
	return append(b, '\n'), nil
}

// bound adds what Validate checks and the reflector does not know: closed sets
// have only their members, texts and lists a largest length, counts and lines are
// not negative, and what says what an event is about is not empty.
func bound(s *jsonschema.Schema, t reflect.Type) {
	one := uint64(1)
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p, ok := s.Properties.Get(name)
		if !ok {
			continue
		}
		for _, member := range closedSet(field.Type) {
			p.Enum = append(p.Enum, member)
		}
		if field.Type == reflect.TypeFor[LimitKind]() { // no closed set for readers
			for _, kind := range LimitKinds() {
				p.Examples = append(p.Examples, kind)
			}
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
	for _, name := range sources() {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
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
