package pattern

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// wildcard stands for any text.
const wildcard = "..."

// vendored takes the place of an element "vendor" that others follow. Neither a
// pattern nor an import path holds it, and no wildcard matches it.
const vendored = "\x00"

// Pattern names packages of one module.
type Pattern struct {
	module string
	local  bool         // relative to the module
	either [][][]string // one of these has to match: its parts, with vendored elements replaced
	base   string       // of a pattern with a wildcard: the folder where the go command begins to look, relative to the module
	exact  bool         // it has no wildcard
}

// Parse reads a pattern of a module, whose path is "" where it is not known;
// relative patterns then match nothing.
func Parse(text, module string) Pattern {
	if text = clean(text); text == "all" {
		text = wildcard
	}
	p := Pattern{module: module, local: text == "." || strings.HasPrefix(text, "./"), exact: !strings.Contains(text, wildcard)}
	if !strings.Contains(text, vendored) {
		for _, x := range alternatives(replaceVendor(text)) {
			p.either = append(p.either, parts(x))
		}
	}
	if before, _, ok := strings.Cut(text, wildcard); ok && p.local {
		p.base = strings.Trim(strings.TrimPrefix(before[:strings.LastIndex(before, "/")+1], "./"), "/")
	}
	return p
}

// Check says what is wrong with a pattern of packages of a module, as the end of
// "x is".
func Check(text string) error {
	switch {
	case text == "" || strings.ContainsAny(text, " \t\r\n\x00"):
		return errors.New("no package pattern; write ./... for example")
	case strings.HasPrefix(text, "-"):
		return errors.New("a flag, wanted a package pattern, ./... for example")
	}
	return nil
}

// Leaves reports whether a pattern leads out of the module.
func Leaves(text string) bool {
	return strings.HasPrefix(text, "/") || clean(text) == ".." || strings.HasPrefix(clean(text), "../")
}

// Any reports whether one of the patterns names a package of the module.
func Any(patterns []string, module, pkg string) bool {
	return slices.ContainsFunc(patterns, func(text string) bool { return Parse(text, module).Match(pkg) })
}

// Match reports whether the pattern names the package.
func (p Pattern) Match(pkg string) bool {
	below, inModule := p.relative(pkg)
	if p.local && !inModule {
		return false
	}
	if !p.exact && hidden(below, p.base) {
		return false
	}
	name := pkg
	if p.local {
		if name = "./" + below; below == "" && p.exact {
			name = "."
		} else if below == "" {
			name = "./."
		}
	}
	if strings.Contains(name, vendored) {
		return false
	}
	name = replaceVendor(name)
	return slices.ContainsFunc(p.either, func(parts [][]string) bool { return glob(parts, name) })
}

// relative returns the path of a package below its module; ok is false where it is of another.
func (p Pattern) relative(pkg string) (below string, ok bool) {
	if p.module == "" {
		return "", false
	}
	if pkg == p.module {
		return "", true
	}
	return strings.CutPrefix(pkg, p.module+"/")
}

// hidden reports whether the go command passes a folder over on its way down from
// base, itself included. Both are relative to the module.
func hidden(folder, base string) bool {
	above := base[:strings.LastIndex(base, "/")+1] // these it does not look at
	rest, ok := strings.CutPrefix(folder, above)
	if !ok {
		return false // no wildcard leads there
	}
	for element := range strings.SplitSeq(rest, "/") {
		if strings.HasPrefix(element, ".") || strings.HasPrefix(element, "_") || element == "testdata" {
			return true
		}
	}
	return false
}

// clean writes a pattern in one way, as the go command does.
func clean(text string) string {
	text = filepath.ToSlash(text)
	if !strings.HasPrefix(text, "./") {
		return path.Clean(text)
	}
	if text = path.Clean(text); text == "." || text == ".." || strings.HasPrefix(text, "../") {
		return text
	}
	return "./" + text
}

// alternatives are the texts for which a pattern stands: "x/..." is x, too. A
// folder vendor is a package if it holds code itself.
func alternatives(text string) []string {
	if before, ok := strings.CutSuffix(text, "/"+vendored+"/"+wildcard); ok {
		return []string{before + "/vendor", text}
	}
	if before, ok := strings.CutSuffix(text, "/"+wildcard); ok {
		return []string{before, text}
	}
	return []string{text}
}

// replaceVendor replaces the elements "vendor" of a path but the last.
func replaceVendor(text string) string {
	if !strings.Contains(text, "vendor") {
		return text // as nearly always: many names are matched with many patterns
	}
	elements := strings.Split(text, "/")
	for i := range elements[:len(elements)-1] {
		if elements[i] == "vendor" {
			elements[i] = vendored
		}
	}
	return strings.Join(elements, "/")
}

// parts divides a text at its vendored elements, and each part at its wildcards.
func parts(text string) [][]string {
	var out [][]string
	for part := range strings.SplitSeq(text, vendored) {
		out = append(out, strings.Split(part, wildcard))
	}
	return out
}

// glob reports whether a name is a text, given by its parts, with something in place of
// each wildcard. What stands there holds no vendored element, so that these divide both
// into parts that belong together.
func glob(parts [][]string, name string) bool {
	for i, pieces := range parts {
		part, rest, more := strings.Cut(name, vendored)
		if more == (i == len(parts)-1) || !inOrder(pieces, part) {
			return false
		}
		name = rest
	}
	return true
}

// inOrder reports whether s begins with the first piece, ends with the last, and
// holds the others between them in their order.
func inOrder(pieces []string, s string) bool {
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return s == first
	}
	if !strings.HasPrefix(s, first) || !strings.HasSuffix(s[len(first):], last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	return true
}
