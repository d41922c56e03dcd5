package surface

import (
	"path/filepath"
	"slices"
	"strings"
)

// addKinds takes in the text of a file that tests read, with what its name says of the language.
func (c *collection) addKinds(name, text string) {
	if ext := strings.TrimPrefix(filepath.Ext(name), "."); len(text) < 2 || len(text) > maxTextBytes || slices.Contains(wantedEndings, ext) {
		return
	}
	for _, kind := range kindsOf(name) {
		c.kinds = append(c.kinds, [2]string{kind, text})
	}
}

// kindsOf are the languages that the name of a file may say that it is written in: its base name and its folder's name, and its
// ending.
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

// wantedEndings are endings of files that say what is to come out.
var wantedEndings = []string{"expected", "golden", "out", "output", "want"}

// plainEndings are endings of files that say what tests do with them.
var plainEndings = []string{"txt", "actual", "in", "input", "got", "err", "test"}
