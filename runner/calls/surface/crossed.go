package surface

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

const (
	minCrossed   = 24 // struct types made of those of tests
	maxCrossed   = 72
	perField     = 2  // of them for each field of a struct in tests
	longestTaken = 4  // fields that are taken from one struct
	maxTagWords  = 24 // words that may become options
)

// embeddedName is the name of what is embedded.
const embeddedName = "Inner"

// A tagged is a field, with its tag, of a struct that a test declares.
type tagged struct{ name, of, tag string }

func (m tagged) String() string {
	s := strings.TrimSpace(m.name + " " + m.of)
	if m.tag != "" {
		s += " " + strconv.Quote(m.tag)
	}
	return s
}

// fieldsOf are the fields that can be written down by themselves.
func (w *writer) fieldsOf(s *types.Struct, in *types.Package) []tagged {
	var out []tagged
	for i := range s.NumFields() {
		f := s.Field(i)
		w.embedded = nil
		text, ok := w.shape(f.Type(), in, 1)
		if ok && len(w.embedded) == 0 && f.Exported() && len(text) < shapeText/longestTaken {
			out = append(out, tagged{f.Name(), text, s.Tag(i)})
		}
	}
	w.embedded = nil
	return out
}

// crossed registers struct types made of those of tests: some fields of one, among which stands a field, a nested
// or an embedded struct of another one, with a pointer more or less, and with options and words in tags that stand in
// the changed functions. What looks at types by package reflect goes wrong over such a combination more often
// than over a single field.
//
// The types are the same for the same tests and the same change.
func (w *writer) crossed(parts [][]tagged, tags tagWords) {
	parts = slices.DeleteFunc(parts, func(list []tagged) bool { return len(list) == 0 })
	fields := 0
	for _, list := range parts {
		fields += len(list)
	}
	if len(parts) < 2 {
		return
	}
	key, options, rules := tags.usual()
	x := &crossing{r: rand.New(rand.NewPCG(1, 2)), parts: parts, key: key, options: append(options, rules...), words: w.tagWords()}
	x.separator(parts)
	for range max(minCrossed, min(maxCrossed, perField*fields)) {
		text := x.one()
		name := "struct " + text + fmt.Sprint(x.inner)
		if w.done[name] || len(text) > shapeText {
			continue
		}
		w.done[name] = true
		w.embedded = x.inner
		w.shaped(text)
	}
	w.embedded = nil
}

// tagWords are the words in the changed functions of both versions that may stand in a tag.
func (w *writer) tagWords() []string {
	var out []string
	for _, v := range []*load.Tree{w.base.tree, w.head.tree} {
		for _, p := range v.Packages {
			if p.Code == nil || p.Code.TypesInfo == nil {
				continue
			}
			for _, file := range p.Code.Syntax {
				for _, d := range file.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok && w.isChanged(v, p.Code.TypesInfo, fn) {
						out = append(out, wordsIn(fn)...)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return spread(slices.Compact(out), maxTagWords)
}

// wordsIn are the literals in a function that are a word.
func wordsIn(fn *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(fn, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, err := strconv.Unquote(l.Value)
			if s = strings.TrimRight(s, ":="); err == nil && token.IsIdentifier(strings.NewReplacer("-", "_", " ", "_").Replace(s)) && len(s) <= longestName {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// crossing makes struct types of others.
type crossing struct {
	r              *rand.Rand
	parts          [][]tagged
	key            string // of most tags; "" where there are none
	sep, assign    string // between options, and between an option and its value
	options, words []string
	usual          string  // option of all fields of the one that is being made
	inner          []alias // what it embeds
}

// separator finds out what stands between the options of a tag.
func (x *crossing) separator(parts [][]tagged) {
	commas, semicolons, colons, equal := 0, 0, 0, 0
	for _, list := range parts {
		for _, m := range list {
			value := tagValue(m.tag, x.key)
			commas += strings.Count(value, ",")
			semicolons += strings.Count(value, ";")
			colons += strings.Count(value, ":")
			equal += strings.Count(value, "=")
		}
	}
	x.sep, x.assign = ",", ":"
	if semicolons > commas {
		x.sep = ";"
	}
	if equal > colons {
		x.assign = "="
	}
}

// one makes a struct type, and sets inner.
func (x *crossing) one() string {
	x.inner, x.usual = nil, ""
	if len(x.options) > 0 && x.r.IntN(2) == 0 {
		x.usual = x.option() // people give all fields the same
	}
	list := x.taken(longestTaken)
	x.insert(&list)
	for range x.r.IntN(2) {
		x.insert(&list)
	}
	if x.key != "" && x.r.IntN(3) > 0 {
		x.retag(list)
	}
	if x.r.IntN(3) == 0 {
		m := &list[x.r.IntN(len(list))]
		m.of = x.other(m.of)
	}
	return structOf(list)
}

// taken are some fields of one struct, in their order.
func (x *crossing) taken(most int) []tagged {
	from := x.parts[x.r.IntN(len(x.parts))]
	n := 1 + x.r.IntN(min(most, len(from)))
	at := x.r.IntN(len(from) - n + 1)
	list := slices.Clone(from[at : at+n])
	for i := range list {
		if x.usual != "" {
			list[i].tag = x.with(list[i], x.usual)
		}
	}
	return list
}

// option is one that tests have, a frequent one more often.
func (x *crossing) option() string { return x.options[x.r.IntN(1+x.r.IntN(len(x.options)))] }

// insert puts something of another struct among the fields.
func (x *crossing) insert(list *[]tagged) {
	part := x.taken(longestTaken - 1)
	var m tagged
	switch x.r.IntN(4) {
	case 0:
		m = part[0]
	case 1, 2:
		if len(x.inner) > 0 {
			return
		}
		x.inner = []alias{{embeddedName, structOf(part)}}
		m.of = []string{"", "*"}[x.r.IntN(2)] + embeddedName
		if x.r.IntN(4) == 0 {
			m.tag = x.tag("inner")
		}
	default:
		form := []string{"", "*", "[]", "[]*", "map[string]", "*"}[x.r.IntN(6)]
		m = tagged{"Sub", form + structOf(part), x.tag("sub")}
		if x.usual != "" {
			m.tag = x.with(m, x.usual)
		}
	}
	if m.name != "" && slices.ContainsFunc(*list, func(o tagged) bool { return o.name == m.name }) {
		return
	}
	*list = slices.Insert(*list, x.r.IntN(len(*list)+1), m)
}

// retag gives one of the fields an option, or a word of the change, or takes its tag away.
func (x *crossing) retag(list []tagged) {
	at := x.r.IntN(len(list))
	switch k := x.r.IntN(4); {
	case k == 0:
		list[at].tag = ""
	case k == 1 && len(x.words) > 0:
		word := x.words[x.r.IntN(len(x.words))]
		field := strings.ToLower(list[x.r.IntN(len(list))].name)
		list[at].tag = x.tag([]string{word, word + x.assign + field, field + x.sep + word, field + x.sep + word + x.assign + "1", x.sep + word}[x.r.IntN(5)])
	case len(x.options) > 0:
		list[at].tag = x.with(list[at], x.option())
	}
}

// other is a type with another indirection.
func (x *crossing) other(of string) string {
	if strings.TrimPrefix(of, "*") == embeddedName {
		return of
	}
	if elem, ok := strings.CutPrefix(of, "*"); ok && x.r.IntN(2) == 0 {
		return elem
	}
	return []string{"*", "**", "[]", "map[string]", "[]*"}[x.r.IntN(5)] + of
}

func (x *crossing) tag(value string) string {
	if x.key == "" {
		return ""
	}
	return x.key + ":" + strconv.Quote(value)
}

// with is a field's tag with one more option.
func (x *crossing) with(m tagged, option string) string {
	value := tagValue(m.tag, x.key)
	if value == "" && m.name != "" {
		value = strings.ToLower(m.name)
	}
	if slices.Contains(strings.Split(value, x.sep), option) {
		return m.tag
	}
	return x.tag(value + x.sep + option)
}

func tagValue(tag, key string) string { return reflect.StructTag(tag).Get(key) }

// structOf writes a struct type. Of fields with one name the first counts.
func structOf(list []tagged) string {
	var fields []string
	seen := map[string]bool{}
	for _, m := range list {
		name := m.name
		if name == "" {
			name = embeddedName
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		fields = append(fields, m.String())
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}
