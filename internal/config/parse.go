package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/internal/spelling"
)

// MaxSize bounds the file, in bytes.
const MaxSize = 1 << 20

// Parse reads the text of a file over Default. Name is for errors, which are of
// a mistake.List.
func Parse(name string, data []byte) (Config, error) {
	p := &parser{file: name, lines: strings.Split(string(data), "\n"), config: Default()}
	p.config.File = name
	p.document(data)
	if err := p.errs.Err(); err != nil {
		return Config{}, err
	}
	return p.config, nil
}

type parser struct {
	file   string
	lines  []string
	config Config
	errs   mistake.List
}

func (p *parser) fail(line int, format string, args ...any) {
	p.errs.Add(p.file, line, 0, fmt.Sprintf(format, args...))
}

func (p *parser) document(data []byte) {
	if len(data) > MaxSize {
		p.fail(0, "the file has %d bytes, more than the %d allowed", len(data), MaxSize)
		return
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if !errors.Is(err, io.EOF) { // an empty file holds no document
			p.syntax(err)
		}
		return
	}
	if len(doc.Content) == 1 {
		p.section(doc.Content[0], keys(), "")
	}
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		p.syntax(err)
	default:
		p.fail(second.Line, "a second document begins here; put all settings into the first and remove the --- line")
	}
}

// syntax puts yaml.v3's "yaml: line 3: what" into our form.
func (p *parser) syntax(err error) {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := regexp.MustCompile(`^line (\d+): (?s:(.*))$`).FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = m[2]
	}
	p.fail(line, "this is not YAML: %s", quoted().ReplaceAllString(msg, "'…'"))
}

// quoted is what a message of yaml.v3 quotes of the file.
var quoted = lazyregexp.New(`(?s)['"` + "`" + `].*['"` + "`" + `]`)

// keyText is the name of a key that may be any text.
func keyText(s string) string {
	if plainKey().MatchString(s) {
		return s
	}
	return quote(s)
}

var plainKey = lazyregexp.New(`^[\pL_][\pL\pN_-]{0,59}$`)

// section reads a mapping whose keys are known, and says which of them have a
// value.
func (p *parser) section(n *yaml.Node, known []key, path string) (set map[string]bool) {
	n = resolve(n)
	set = map[string]bool{}
	if isNull(n) {
		return set // the key stands there with nothing behind it
	}
	if n.Kind != yaml.MappingNode {
		what := "the file"
		if path != "" {
			what = strings.TrimSuffix(path, ".")
		}
		p.fail(n.Line, "%s must hold keys such as %q, but there is %s", what, known[0].name+": …", describe(n))
		return set
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		k := slices.IndexFunc(known, func(k key) bool { return name.Kind == yaml.ScalarNode && k.name == name.Value })
		if k < 0 {
			p.unknown(name, known, path)
			continue
		}
		if first, again := seen[name.Value]; again {
			p.fail(name.Line, "key %q is already set on line %d", path+name.Value, first)
			continue
		}
		seen[name.Value] = name.Line
		set[name.Value] = !isNull(resolve(value))
		p.value(name, value, known[k], path)
	}
	return set
}

// entries reads a sequence of mappings.
func (p *parser) entries(n *yaml.Node, k key, path string) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n.Line, "%s must be a list of entries such as [{%s: …}], but there is %s", path, k.keys[0].name, describe(n))
		return
	}
	for i, c := range n.Content {
		at := fmt.Sprintf("%s[%d]", path, i)
		if len(p.errs) >= maxEntryErrors {
			return
		}
		if resolve(c).Kind != yaml.MappingNode {
			p.fail(c.Line, "%s must hold keys such as %q, but there is %s", at, k.keys[0].name+": …", describe(resolve(c)))
			continue
		}
		k.begin(&p.config)
		set := p.section(c, k.keys, at+".")
		for _, inner := range k.keys {
			if inner.needed && !set[inner.name] {
				p.fail(c.Line, "%s has no %s; add %s: %s", at, inner.name, inner.name, inner.example)
			}
		}
		if err := k.end(&p.config); err != nil {
			p.fail(c.Line, "%s: %v", at, err)
		}
	}
}

// maxEntryErrors ends the reading of a long list of mistakes.
const maxEntryErrors = 100

func (p *parser) unknown(name *yaml.Node, known []key, path string) {
	if name.Kind != yaml.ScalarNode {
		p.fail(name.Line, "a key must be a plain word, but there is %s", describe(name))
		return
	}
	if name.Tag == "!!merge" {
		p.fail(name.Line, "merge keys (<<) are not supported; write the settings out")
		return
	}
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	hint := spelling.DidYouMean(name.Value, names)
	if hint == "" {
		hint = elsewhere(name.Value, path)
	}
	if hint == "" {
		hint = "; known are " + strings.Join(names, ", ")
	}
	p.fail(name.Line, "unknown key %s%s", quote(path+name.Value), hint)
}

// elsewhere finds a key that exists on another level of the file.
func elsewhere(name, path string) string {
	for _, k := range keys() {
		if path != "" && k.name == name {
			return fmt.Sprintf("; %q belongs to the top level of the file, not into %q", name, strings.TrimSuffix(path, "."))
		}
		for _, inner := range k.keys {
			if path == "" && k.shape == section && inner.name == name {
				return fmt.Sprintf("; %q belongs into %q", name, k.name)
			}
		}
	}
	return ""
}

func (p *parser) value(name, n *yaml.Node, k key, path string) {
	n = resolve(n)
	switch {
	case k.shape == section:
		p.section(n, k.keys, path+k.name+".")
		return
	case isNull(n):
		return // as if the key were not there
	case k.shape == entries:
		p.entries(n, k, path+k.name)
		return
	case k.shape == tree:
		k.node(p, n, path+k.name)
		return
	}
	values, ok := p.texts(n, k, path+k.name)
	if !ok {
		return
	}
	if k.shape != list || len(values) == 0 {
		if err := k.put(&p.config, values); err != nil {
			p.fail(n.Line, "%s: %s", path+k.name, withoutValue(err))
		}
		return
	}
	// One element at a time, for its line; the whole then replaces the default.
	whole := true
	for i, v := range values {
		scratch := Default()
		if err := k.put(&scratch, []string{v}); err != nil {
			p.fail(elementLine(n, i), "%s: %s", path+k.name, withoutValue(err))
			whole = false
		}
	}
	if whole {
		if err := k.put(&p.config, values); err != nil {
			p.fail(n.Line, "%s: %s", path+k.name, withoutValue(err))
		}
	}
}

// withoutValue is what is wrong with a value, without the value.
func withoutValue(err error) string {
	var v *valueError
	if errors.As(err, &v) {
		return "the value " + v.problem
	}
	return err.Error()
}

func elementLine(n *yaml.Node, i int) int {
	if n.Kind == yaml.SequenceNode {
		return n.Content[i].Line
	}
	return n.Line
}

// texts takes the scalars out of a value of the right shape.
func (p *parser) texts(n *yaml.Node, k key, path string) ([]string, bool) {
	wrong := func(n *yaml.Node) ([]string, bool) {
		p.fail(n.Line, "%s must be %s, but there is %s", path, wanted(k), describe(n))
		return nil, false
	}
	switch {
	case k.shape == mapping && n.Kind == yaml.MappingNode:
		return p.pairs(n, path)
	case k.shape == list && n.Kind == yaml.SequenceNode:
		values := []string{}
		for _, c := range n.Content {
			c = resolve(c)
			if c.Kind != yaml.ScalarNode || isNull(c) {
				return wrong(c)
			}
			values = append(values, c.Value)
		}
		return values, true
	case k.shape == mapping || n.Kind != yaml.ScalarNode,
		k.shape == boolean && n.ShortTag() != "!!bool",
		k.shape == integer && n.ShortTag() != "!!int":
		return wrong(n)
	}
	return []string{n.Value}, true
}

func (p *parser) pairs(n *yaml.Node, path string) ([]string, bool) {
	var pairs []string
	seen := map[string]int{}
	whole := true
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], resolve(n.Content[i+1])
		first, again := seen[name.Value]
		switch {
		case name.Kind != yaml.ScalarNode || strings.Contains(name.Value, "="):
			p.fail(name.Line, "%s: %s is no name", path, describe(name))
		case again:
			p.fail(name.Line, "key %s is already set on line %d", quote(path+"."+keyText(name.Value)), first)
		case value.Kind != yaml.ScalarNode:
			p.fail(value.Line, "%s must be a text, but there is %s", path+"."+keyText(name.Value), describe(value))
		default:
			seen[name.Value] = name.Line
			text := value.Value
			if isNull(value) {
				text = ""
			}
			pairs = append(pairs, name.Value+"="+text)
			continue
		}
		whole = false
	}
	return pairs, whole
}

func wanted(k key) string {
	switch k.shape {
	case boolean:
		return "true or false"
	case integer:
		return "a whole number such as " + k.example
	case list:
		example := k.example
		if example == "" {
			example = k.values[0]
		}
		return "a list of texts such as [" + example + "]"
	case mapping:
		return "names and values such as {" + k.example + "}"
	}
	if k.values != nil {
		return oneOf(k.values)
	}
	return "a text such as " + k.example
}

// describe says what kind of thing stands in the file, and nothing of what it says.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping (key: value)"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return "nothing"
		case "!!int":
			return "a whole number"
		case "!!float":
			return "a fraction"
		case "!!bool":
			return "true or false"
		}
		return "a text"
	}
	return "something else"
}

// resolve follows an alias. An anchor may hold an alias of itself, but no value
// here nests deep enough to go round more than once.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
