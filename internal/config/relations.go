package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/isodelta/isodelta/runner/relation/declare"
)

// relationKeys are those of one entry of relations. Expressions are kept as
// they are, with their places: package declare type-checks them.
func relationKeys() []key {
	last := func(c *Config) *declare.Declaration { return &c.Relations[len(c.Relations)-1] }
	return []key{
		textKey("function", "geo.Area", true, "the function, as go doc writes it: Area, geo.Area, (*Ring).Area",
			func(c *Config) *declare.Text { return &last(c).Function }),
		textKey("name", "scales", false, "what the relation is called in reports",
			func(c *Config) *declare.Text { return &last(c).Name }),
		textKey("when", "w > 0", false, "Go expression over the parameters: for which inputs it is to hold",
			func(c *Config) *declare.Text { return &last(c).When }),
		{name: "follow-up", shape: tree, example: "{w: 2*w}",
			doc:        "the arguments of the follow-up call that differ, as Go expressions over the parameters and result; a list for several calls",
			node:       func(p *parser, n *yaml.Node, path string) { last(&p.config).FollowUps = p.followUps(n, path) },
			nodeSchema: followUpSchema},
		textKey("holds", "followup.result == 2*result", true, "Go expression over parameters, result and followup: what is to be true",
			func(c *Config) *declare.Text { return &last(c).Holds }),
		{name: "tolerance", shape: tree, example: "1e-9",
			doc:  "relative tolerance with which Equal compares floating-point numbers",
			node: func(p *parser, n *yaml.Node, path string) { last(&p.config).Tolerance = p.tolerance(n, path) },
			nodeSchema: func() *jsonschema.Schema {
				return &jsonschema.Schema{Type: "number", Minimum: "0", ExclusiveMaximum: "1"}
			}},
	}
}

// categoryKeys are those of one entry of categories.
func categoryKeys() []key {
	last := func(c *Config) *declare.Categorisation { return &c.Categories[len(c.Categories)-1] }
	categories := func(name, doc, example string, field func(*Config) *[]declare.Category) key {
		return key{name: name, shape: tree, example: example, doc: doc,
			node:       func(p *parser, n *yaml.Node, path string) { *field(&p.config) = p.categories(n, path) },
			nodeSchema: func() *jsonschema.Schema { return mapOf(mapOf(expressionSchema())) }}
	}
	return []key{
		textKey("function", "Fee", true, "the function, as go doc writes it",
			func(c *Config) *declare.Text { return &last(c).Function }),
		categories("input", "categories of inputs: names of choices, each with a Go expression over the parameters", "{weight: {light: w < 10, heavy: w >= 10}}",
			func(c *Config) *[]declare.Category { return &last(c).Input }),
		categories("output", "categories of outputs: names of choices, each with a Go expression over the parameters and result", "{price: {free: result == 0, paid: result > 0}}",
			func(c *Config) *[]declare.Category { return &last(c).Output }),
	}
}

// textKey is a key whose value is a text of which the place is kept.
func textKey(name, example string, needed bool, doc string, field func(*Config) *declare.Text) key {
	return key{name: name, shape: tree, example: example, needed: needed, doc: doc, nodeSchema: expressionSchema,
		node: func(p *parser, n *yaml.Node, path string) {
			if t, ok := p.text(n, path); ok {
				*field(&p.config) = t
			}
		}}
}

// expressionSchema lets numbers and truths stand for themselves.
func expressionSchema() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
}

func mapOf(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AdditionalProperties: s}
}

func followUpSchema() *jsonschema.Schema {
	one := mapOf(expressionSchema())
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
}

// text reads a scalar with its place.
func (p *parser) text(n *yaml.Node, path string) (declare.Text, bool) {
	n = resolve(n)
	switch {
	case n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		p.fail(n.Line, "%s: in YAML, what begins with ! is a tag and no part of the text; put the expression into quotes", path)
		return declare.Text{}, false
	case n.Kind != yaml.ScalarNode:
		p.fail(n.Line, "%s must be a text, but there is %s; put an expression with braces, brackets or commas into quotes", path, describe(n))
		return declare.Text{}, false
	case isNull(n) || strings.TrimSpace(n.Value) == "":
		p.fail(n.Line, "%s is empty; in braces, a comma ends a value, so put an expression with commas into quotes", path)
		return declare.Text{}, false
	}
	return p.placed(n), true
}

// placed finds out whether the text stands in its line as it is.
func (p *parser) placed(n *yaml.Node) declare.Text {
	t := declare.Text{Value: n.Value, Line: n.Line}
	if n.Style&yaml.LiteralStyle != 0 {
		t.Line++
		t.Block = true
		return t
	}
	column := n.Column
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		column++
	}
	if n.Line < 1 || n.Line > len(p.lines) || column < 1 {
		return t
	}
	if line := []rune(p.lines[n.Line-1]); column-1 <= len(line) && strings.HasPrefix(string(line[column-1:]), n.Value) {
		t.Column = column
	}
	return t
}

// followUps reads one mapping of parameters to expressions, or a list of them.
func (p *parser) followUps(n *yaml.Node, path string) [][]declare.Assignment {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	out := [][]declare.Assignment{}
	for i, c := range list {
		at := path
		if n.Kind == yaml.SequenceNode {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		one := []declare.Assignment{}
		p.each(c, at, "{w: 2*w}", func(name, value *yaml.Node, at string) {
			if v, ok := p.text(value, at); ok {
				one = append(one, declare.Assignment{Param: p.placed(name), Value: v})
			}
		})
		out = append(out, one)
	}
	return out
}

// categories reads a mapping of names to choices.
func (p *parser) categories(n *yaml.Node, path string) []declare.Category {
	var out []declare.Category
	p.each(n, path, "{weight: {light: w < 10, heavy: w >= 10}}", func(name, value *yaml.Node, at string) {
		c := declare.Category{Name: p.placed(name)}
		p.each(value, at, "{light: w < 10, heavy: w >= 10}", func(name, value *yaml.Node, at string) {
			if v, ok := p.text(value, at); ok {
				c.Choices = append(c.Choices, declare.Choice{Name: p.placed(name), When: v})
			}
		})
		out = append(out, c)
	})
	return out
}

// each reads a mapping of names that are not known.
func (p *parser) each(n *yaml.Node, path, example string, read func(name, value *yaml.Node, at string)) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, "%s must be names and values such as %s, but there is %s", path, example, describe(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content) && len(p.errs) < maxEntryErrors; i += 2 {
		name := n.Content[i]
		switch first, again := seen[name.Value]; {
		case name.Kind != yaml.ScalarNode || name.Tag == "!!merge" || name.Value == "":
			p.fail(name.Line, "%s: %s is no name", path, describe(name))
		case again:
			p.fail(name.Line, "key %s is already set on line %d", quote(path+"."+keyText(name.Value)), first)
		default:
			seen[name.Value] = name.Line
			read(name, n.Content[i+1], path+"."+keyText(name.Value))
		}
	}
}

func (p *parser) tolerance(n *yaml.Node, path string) float64 {
	if n.Kind == yaml.ScalarNode {
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f >= 0 && f < 1 && !math.IsNaN(f) {
			return f
		}
	}
	p.fail(n.Line, "%s: the value is no tolerance; write a number from 0 and below 1, such as 1e-9: the relative difference that is let pass", path)
	return 0
}

func endRelation(c *Config) error {
	last := c.Relations[len(c.Relations)-1]
	if len(last.FollowUps) == 0 && last.FollowUps != nil {
		return errors.New("follow-up is an empty list; name what differs in the follow-up call, or leave it out for a condition on one call")
	}
	if name := last.Name.Value; name != "" && slices.ContainsFunc(c.Relations[:len(c.Relations)-1], func(r declare.Declaration) bool {
		return r.Name.Value == name && r.Function.Value == last.Function.Value
	}) {
		return errors.New("the function has another relation of this name; give each its own")
	}
	return nil
}

func endCategories(c *Config) error {
	last := c.Categories[len(c.Categories)-1]
	if len(last.Input) == 0 && len(last.Output) == 0 {
		return errors.New("it has neither input nor output categories; add input: {weight: {light: w < 10, heavy: w >= 10}}")
	}
	for _, list := range [][]declare.Category{last.Input, last.Output} {
		for _, cat := range list {
			if len(cat.Choices) == 0 {
				return fmt.Errorf("category %s has no choices; add some: {light: w < 10, heavy: w >= 10}", keyText(cat.Name.Value))
			}
		}
	}
	for i, other := range c.Categories[:len(c.Categories)-1] {
		if other.Function.Value == last.Function.Value && last.Function.Value != "" {
			return fmt.Errorf("the function already has categories, in categories[%d]; put them together", i)
		}
	}
	return nil
}

// withoutPlaces forgets where texts stand, so that files can be compared by
// what they say.
func withoutPlaces(c Config) Config {
	text := func(t declare.Text) declare.Text { return declare.Text{Value: t.Value} }
	c.Relations, c.Categories = slices.Clone(c.Relations), slices.Clone(c.Categories)
	for i := range c.Relations {
		r := &c.Relations[i]
		r.Function, r.Name, r.When, r.Holds = text(r.Function), text(r.Name), text(r.When), text(r.Holds)
		r.FollowUps = slices.Clone(r.FollowUps)
		for k, list := range r.FollowUps {
			r.FollowUps[k] = slices.Clone(list)
			for n, a := range list {
				r.FollowUps[k][n] = declare.Assignment{Param: text(a.Param), Value: text(a.Value)}
			}
		}
	}
	categories := func(list []declare.Category) []declare.Category {
		list = slices.Clone(list)
		for i, c := range list {
			list[i].Name, list[i].Choices = text(c.Name), slices.Clone(c.Choices)
			for k, choice := range c.Choices {
				list[i].Choices[k] = declare.Choice{Name: text(choice.Name), When: text(choice.When)}
			}
		}
		return list
	}
	for i := range c.Categories {
		k := &c.Categories[i]
		k.Function = text(k.Function)
		k.Input, k.Output = categories(k.Input), categories(k.Output)
	}
	return c
}
