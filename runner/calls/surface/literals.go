package surface

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// Literals are the texts and numbers that calls are made of.
type Literals struct {
	Texts   [3][]string // by nearness: harness.NearDiff, NearCode, NearTests
	Numbers [3][]int64
	Floats  []string
	// Tried are texts that only one version of a dependency has in its tests.
	Tried []string
	// Kinds are pairs of a language and a text in it. They come from test files that only one version of a dependency has.
	Kinds [][2]string
	// Hosts are texts of this module's own tests, where a dependency differs.
	Hosts []string
	// Files are names and contents of files that tests of the package read.
	Files [][2]string
}

const (
	maxTexts     = 3000
	maxTried     = 1200
	maxHosts     = 600
	maxKinds     = 300
	maxNamed     = 60 // files with their names
	maxTextBytes = 2048
	maxNumbers   = 1500
)

// Change is where a change lies: the packages of the module, the places of the functions on
// base and on head, and the test files that it edits (EditedTests).
type Change struct {
	Packages  map[string]bool
	Functions [2]map[load.Place]bool
	Tests     [][2]string
}

// CollectLiterals gathers what a package's code and tests contain on both
// versions, packages of its module that have changed functions and that it imports, and
// packages of dependencies that it calls. What only one version's code contains is nearest to
// the change, and so is what changed functions contain, and what regular expressions there match.
func CollectLiterals(base, head *load.Tree, pkg string, change Change, outside []Outside) Literals {
	b, h := newCollection(), newCollection()
	tests := newCollection()
	for _, v := range []struct {
		tree *load.Tree
		into *collection
	}{{base, b}, {head, h}} {
		p := find(v.tree, pkg)
		if p == nil {
			continue
		}
		v.into.pkg(p.Code, nil)
		for _, text := range credentialTexts(p.Code) {
			v.into.addText(text)
		}
		tests.tests(v.tree, p)
	}
	var out Literals
	out.Files = filesOfProjects(tests.named, maxNamed)
	tests.edited(change.Tests)
	// Behind the package's own: what there are too many of is left out evenly.
	tests.siblings(head, pkg)
	tests.beneath(head, pkg, change.Packages)
	if len(outside) > 0 {
		out.Hosts = spread(slices.Clone(tests.texts), maxHosts)
	}
	near := newCollection()
	near.only(b, h)
	near.only(h, b)
	near.changed([2]*load.Tree{base, head}, pkg, change)
	tried := newCollection()
	folders := map[string]bool{}
	for _, o := range outside {
		o.collect(near, tried, tests)
		for _, side := range version.Sides {
			folders[o.folder(side)] = true
		}
	}
	for _, dirs := range modulesOf(outside) {
		tried.collectData(dirs, folders)
	}
	near.all(tried)
	out.Tried, out.Kinds = spread(tried.texts, maxTried), spread(tried.kinds, maxKinds)
	near.into(&out, wire.NearDiff)
	h.into(&out, wire.NearCode)
	tests.into(&out, wire.NearTests)
	for _, c := range []*collection{near, h, tests} {
		for _, f := range c.floats {
			if !slices.Contains(out.Floats, f) && len(out.Floats) < 300 {
				out.Floats = append(out.Floats, f)
			}
		}
	}
	return out
}

// collection is literals with how often they occur, in the order of their
// first occurrence.
type collection struct {
	texts   []string
	numbers []int64
	floats  []string
	chars   []rune
	text    map[string]int
	number  map[int64]int
	float   map[string]int
	char    map[rune]int
	// uses are the variables of packages that are referred to, in the order of their first use; tables, what stands in
	// those that are lists of numbers.
	uses   []string
	used   map[string]int
	kinds  [][2]string // languages and texts in them, see kindsOf
	named  [][2]string // files that tests read: names, see fileBelow, and contents
	tables map[string][]int64
}

func newCollection() *collection {
	return &collection{text: map[string]int{}, number: map[int64]int{}, float: map[string]int{}, char: map[rune]int{}, used: map[string]int{}, tables: map[string][]int64{}}
}

func (c *collection) pkg(p *packages.Package, without map[string]bool) {
	if p == nil {
		return
	}
	for i, f := range p.Syntax {
		if i < len(p.CompiledGoFiles) && without[p.CompiledGoFiles[i]] {
			continue
		}
		c.node(p, f)
	}
}

// node takes in what a piece of a package's code contains.
func (c *collection) node(p *packages.Package, of ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			// A struct tag is no value, but what stands in it is one of whoever looks
			// it up.
			if n.Tag != nil {
				c.tag(n.Tag)
				return false
			}
		case *ast.ValueSpec:
			c.table(p, n)
		case *ast.Ident:
			c.use(p, n)
		}
		if n, ok := n.(ast.Expr); ok {
			if tv, ok := p.TypesInfo.Types[n]; ok && tv.Value != nil {
				c.value(tv.Value, tv.Type)
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.CHAR {
					c.addChar(tv.Value)
				}
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					c.addText(s)
				}
			}
		}
		return true
	})
}

// tag takes in the words of a struct tag's values.
func (c *collection) tag(lit *ast.BasicLit) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	for {
		_, rest, ok := strings.Cut(text, `:"`)
		if !ok {
			return
		}
		value, rest, ok := strings.Cut(rest, `"`)
		if !ok {
			return
		}
		for _, word := range strings.Split(value, ",") {
			if word != "" {
				c.addText(word)
			}
		}
		text = rest
	}
}

func (c *collection) value(v constant.Value, t types.Type) {
	switch v.Kind() {
	case constant.String:
		c.addText(constant.StringVal(v))
	case constant.Int:
		if n, ok := constant.Int64Val(v); ok {
			c.addNumber(n)
		} else if n, ok := constant.Uint64Val(v); ok {
			c.addNumber(int64(n))
		}
	case constant.Float:
		f, _ := constant.Float64Val(v)
		c.addFloat(strconv.FormatFloat(f, 'g', -1, 64))
	}
}

func (c *collection) addFloat(s string) {
	if c.float[s]++; c.float[s] == 1 {
		c.floats = append(c.floats, s)
	}
}

func (c *collection) addText(s string) {
	if len(s) > maxTextBytes {
		return
	}
	if c.text[s]++; c.text[s] == 1 {
		c.texts = append(c.texts, s)
	}
}

func (c *collection) addNumber(n int64) {
	if c.number[n]++; c.number[n] == 1 {
		c.numbers = append(c.numbers, n)
	}
}

// addChar takes in a character that the code writes as one.
func (c *collection) addChar(v constant.Value) {
	n, ok := constant.Int64Val(constant.ToInt(v))
	if !ok || !utf8.ValidRune(rune(n)) {
		return
	}
	if c.char[rune(n)]++; c.char[rune(n)] == 1 {
		c.chars = append(c.chars, rune(n))
	}
}

// only takes in what occurs more often in a than in b. A character is a text of one: what
// a change looks for in texts. Of tables that a refers to more often, it is all that they hold.
func (c *collection) only(a, b *collection) {
	for _, s := range a.texts {
		if a.text[s] > b.text[s] {
			c.addText(s)
		}
	}
	for _, n := range a.numbers {
		if a.number[n] > b.number[n] {
			c.addNumber(n)
		}
	}
	for _, r := range a.chars {
		if a.char[r] > b.char[r] {
			c.addText(string(r))
		}
	}
	for _, f := range a.floats {
		if a.float[f] > b.float[f] {
			c.addFloat(f)
		}
	}
	c.begun(a, b)
}

// all takes in what another collection has.
func (c *collection) all(o *collection) { c.only(o, newCollection()) }

func (c *collection) into(l *Literals, near int) {
	l.Texts[near] = spread(c.texts, maxTexts)
	l.Numbers[near] = spread(c.numbers, maxNumbers)
}

// spread takes at most so many, evenly.
func spread[T any](list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	out := make([]T, 0, most)
	for i := range most {
		out = append(out, list[i*len(list)/most])
	}
	return out
}
