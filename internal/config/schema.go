package config

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON schema (draft 2020-12) of the file, for editors that
// complete and check it.
func Schema() ([]byte, error) {
	s := object(keys())
	s.Version = jsonschema.Version
	s.Title = FileName
	s.Description = "Settings of isodelta for one repository."
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", FileName, err)
	}
	return append(b, '\n'), nil
}

// object describes a mapping of known keys. The parser also takes a key with
// nothing behind it; an editor may well point at one.
func object(keys []key) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
	}
	for _, k := range keys {
		v := k.schema()
		v.Description = k.doc + "."
		s.Properties.Set(k.name, v)
		if k.needed {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

func (k key) schema() *jsonschema.Schema {
	scalar := &jsonschema.Schema{Type: "string", Pattern: k.pattern}
	for _, v := range k.values {
		scalar.Enum = append(scalar.Enum, v)
	}
	switch k.shape {
	case section:
		return object(k.keys)
	case tree:
		return k.nodeSchema()
	case entries:
		return &jsonschema.Schema{Type: "array", Items: object(k.keys)}
	case boolean:
		return &jsonschema.Schema{Type: "boolean", Default: k.get(Default())[0] == "true"}
	case integer:
		n := &jsonschema.Schema{Type: "integer", Default: json.Number(k.get(Default())[0])}
		if k.minimum != nil {
			n.Minimum = json.Number(strconv.FormatInt(*k.minimum, 10))
		}
		return n
	case list:
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{scalar, {Type: "array", Items: scalar}}}
	case mapping:
		value := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "null"}}}
		return &jsonschema.Schema{Type: "object", AdditionalProperties: value}
	}
	if k.name == "depth" {
		one := json.Number("1")
		scalar = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: one}, {Const: "any"}}}
	}
	if k.get != nil {
		scalar.Default = k.get(Default())[0]
	}
	return scalar
}
