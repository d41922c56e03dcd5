package surface

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An alias names an unnamed struct type, so that another struct can embed it. It is declared
// where the type is registered, and in a test to paste where the type is written.
type alias struct{ name, text string }

// embed makes the text of an embedded struct, or of a pointer to one, a name. It reports
// whether it could: a name stands for one struct.
func (w *writer) embed(name string, text *string) bool {
	of, pointer := strings.CutPrefix(*text, "*")
	if !strings.HasPrefix(of, "struct{") || !strings.HasSuffix(of, "}") {
		return false
	}
	i := slices.IndexFunc(w.embedded, func(a alias) bool { return a.name == name })
	if i >= 0 && w.embedded[i].text != of {
		return false
	}
	if i < 0 {
		w.embedded = append(w.embedded, alias{name, of})
	}
	*text = name
	if pointer {
		*text = "*" + name
	}
	return true
}

// shaped registers a struct type with what it embeds.
func (w *writer) shaped(text string) {
	if len(w.embedded) == 0 {
		w.typ(text)
		return
	}
	var b strings.Builder
	for _, a := range w.embedded {
		fmt.Fprintf(&b, "type %s = %s; ", a.name, a.text)
	}
	w.line(-1, "isodeltaH.Type(func() any { %sreturn (*%s)(nil) }())", b.String(), text)
}

const (
	maxDerived = 5 // shapes that are embedded in others
	maxOptions = 4 // words behind the name in tags
	maxRules   = 3 // words that stand in tags by themselves
)

// rareKinds are kinds of a field that tests seldom have.
var rareKinds = []string{"**int", "*any", "*[]string", "[]any", "[]*int", "error", "map[int]string", "complex64", "func()", "[0]int", "[]**string"}

// derived registers structs that embed those of tests, by value and by pointer, exported
// and not, with a tag and without; structs with a field of a rare kind, a blank or a hidden one, or an
// interface that is embedded; one struct with a field of each kind, for each
// option that tags have; and one with a single field, for each kind and each rule. Tests seldom
// have all of these, and decoders, encoders and validators treat each in a way of its own.
func (w *writer) derived(plain []string, tags tagWords) {
	key, options, rules := tags.usual()
	tagged := slices.DeleteFunc(slices.Clone(plain), func(s string) bool { return !strings.Contains(s, key+`:`) })
	if key == "" || len(tagged) == 0 {
		tagged = plain
	}
	w.key = key
	blank := w.tag("b")
	if key == "json" || key == "xml" {
		blank = "" // go vet takes the tag of a field that is not exported for a mistake
	}
	partly := "struct{A string" + w.tag("a") + "; _ string" + blank + "; c int; D int" + w.tag("d") + "}"
	for _, text := range append(spread(tagged, maxDerived), partly) {
		for _, form := range []string{"Inner", "*Inner", "inner", "Inner" + w.tag("inner"), "inner" + w.tag("inner"), "*Inner" + w.tag("inner")} {
			name := "Inner"
			if strings.Contains(form[:2], "i") {
				name = "inner"
			}
			shape := "struct{" + form + "; Own string" + w.tag("own") + "}" // what is embedded comes first, as people write it
			if w.done["shape "+shape+text] {
				continue // without tags some are the same
			}
			w.done["shape "+shape+text] = true
			w.embedded = []alias{{name, text}}
			w.shaped(shape)
		}
	}
	w.embedded = nil
	w.shaped(partly)
	for _, kind := range rareKinds {
		w.shaped("struct{A " + kind + w.tag("a") + "}")
	}
	for _, embedded := range []string{"error", "any"} {
		w.shaped("struct{" + embedded + "; A string" + w.tag("a") + "}")
	}
	if key == "" {
		return
	}
	clock := w.api.Import("time") + "."
	kinds := []string{
		"string", "*string", "[]string", "map[string]string", "bool", "*int", "float64", "any", "struct{X int}", "*struct{X int}", "[]struct{X int}",
		clock + "Time", "*" + clock + "Time", clock + "Duration", "[]byte", "[2]int",
	}
	for _, rule := range rules[:min(len(rules), maxRules)] {
		for _, kind := range kinds {
			w.shaped("struct{A " + kind + w.tag(rule) + "}")
		}
	}
	for _, option := range append([]string{""}, options[:min(len(options), maxOptions)]...) {
		if option != "" {
			option = "," + option
		}
		var fields []string
		for i, kind := range kinds {
			name := string(rune('A' + i))
			fields = append(fields, name+" "+kind+w.tag(strings.ToLower(name)+option))
		}
		w.shaped("struct{" + strings.Join(fields, "; ") + "}")
	}
}

// tag is a field's tag with the key that most tags of the package's tests have, empty if they
// have none.
func (w *writer) tag(words string) string {
	if w.key == "" {
		return ""
	}
	return " " + strconv.Quote(w.key+":"+strconv.Quote(words))
}

// takesAnything reports whether an exported function or method of the package under test
// has a parameter that takes any value.
func (w *writer) takesAnything() bool {
	takes := func(f *types.Func) bool {
		for v := range f.Signature().Params().Variables() {
			t := v.Type()
			if s, ok := t.(*types.Slice); ok {
				t = s.Elem()
			}
			if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() && f.Exported() {
				return true
			}
		}
		return false
	}
	scope := w.head.pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			if takes(o) {
				return true
			}
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && slices.ContainsFunc(slices.Collect(n.Methods()), takes) {
				return true
			}
		}
	}
	return false
}

// tagWords counts, by the keys of struct tags, the words in these.
type tagWords map[string]*words

type words struct {
	tags    int
	options map[string]int // behind a name
	first   map[string]int // in the place of a name, where the field has another name
}

func (t tagWords) add(s *types.Struct) {
	for i := range s.NumFields() {
		for text := s.Tag(i); ; {
			before, rest, ok := strings.Cut(text, `:"`)
			if !ok {
				break
			}
			value, rest, ok := strings.Cut(rest, `"`)
			if !ok {
				break
			}
			t.count(strings.TrimSpace(before), s.Field(i).Name(), value)
			text = rest
		}
	}
}

func (t tagWords) count(key, field, value string) {
	if t[key] == nil {
		t[key] = &words{options: map[string]int{}, first: map[string]int{}}
	}
	w := t[key]
	w.tags++
	for i, word := range strings.Split(value, ",") {
		switch {
		case word == "" || word == "-" || strings.ContainsAny(word, " :="):
		case i > 0:
			w.options[word]++
		case !strings.EqualFold(strings.ReplaceAll(word, "_", ""), field):
			w.first[word]++
		}
	}
}

// A word is a rule by itself if it stands in the place of a name so often at least, and in one of so
// many tags. What is rare is for values of a kind of its own.
const (
	leastRule  = 3
	shareRuled = 12
)

// usual is the key that most tags have, with its options and its rules, the most frequent first. A
// rule is a word that stands alone in many of them, as "required" does in those of a validator.
func (t tagWords) usual() (key string, options, rules []string) {
	for _, k := range slices.Sorted(maps.Keys(t)) {
		if key == "" || t[k].tags > t[key].tags {
			key = k
		}
	}
	if key == "" {
		return "", nil, nil
	}
	return key, frequent(t[key].options, 1), frequent(t[key].first, max(leastRule, t[key].tags/shareRuled))
}

// frequent are the words that are counted so often at least, the most frequent first.
func frequent(counted map[string]int, least int) []string {
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(counted)), func(word string) bool { return counted[word] < least })
	slices.SortStableFunc(list, func(a, b string) int { return counted[b] - counted[a] })
	return list
}
