package surface

import (
	"path/filepath"
	"slices"
	"strings"
)

// addKinds adds the text of a test file, with the languages that its name suggests.
func (c *collection) addKinds(name, text string) {
	if ext := strings.TrimPrefix(filepath.Ext(name), "."); len(text) < 2 || len(text) > maxTextBytes || slices.Contains(wantedEndings, ext) {
		return
	}
	for _, kind := range kindsOf(name) {
		c.kinds = append(c.kinds, [2]string{kind, text})
	}
}

// kindsOf returns the languages that the name of a file suggests: its extension, its base name and the name of its folder.
func kindsOf(name string) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimPrefix(s, "."); s != "" && !slices.Contains(plainEndings, strings.ToLower(s)) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	base := filepath.Base(name)
	ext := filepath.Ext(base)
	add(ext)
	add(strings.TrimSuffix(base, ext))
	if folder := filepath.Base(filepath.Dir(name)); !forTests(folder) {
		add(folder)
	}
	return out
}

// wantedEndings are extensions of files with expected output.
var wantedEndings = []string{"expected", "golden", "out", "output", "want"}

// plainEndings are extensions that do not name a language.
var plainEndings = []string{"txt", "actual", "in", "input", "got", "err", "test"}
