package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const stream = `{"type":"config","version":1,"tool":"t"}
{"type":"versions","base":{"asked":"a","commit":"0123456789"},"head":{"asked":"b","commit":"abcdef0123"},"module":"m","module_dir":"."}
{"type":"finding","id":"f1","rung":"observed","suite":"head","package":"m","test":"TestF","kind":"value","function":"F","file":"f.go","base":{"outcome":"pass","site":"F()","value":"1"},"head":{"outcome":"pass","site":"F()","value":"2"},"cluster":"c"}
{"type":"summary","tests":1,"verdict":"differences"}
`

// TestPage: each view holds the comment; only the e-mail has no style and no
// folds, and only as many folds are open as asked for.
func TestPage(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "stream.jsonl")
	if err := os.WriteFile(file, []byte(stream), 0o600); err != nil {
		t.Fatal(err)
	}
	markdown, err := comment(file, "https://example.com/r")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []view{{theme: "light"}, {theme: "dark", open: 1}, {theme: "mail"}} {
		page, err := v.page(markdown)
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		if !strings.Contains(text, "1 behaviour change that no test fails on") || !strings.Contains(text, "https://example.com/r/commit/abcdef0123") {
			t.Errorf("%s: the comment is not whole:\n%s", v.theme, text)
		}
		if mail := v.theme == "mail"; strings.Contains(text, "<style>") == mail || strings.Contains(text, "<details") == mail {
			t.Errorf("%s: style or folds are not as they should be", v.theme)
		}
		if got := strings.Count(text, "<details open>"); got != v.open {
			t.Errorf("%s: %d folds are open, want %d", v.theme, got, v.open)
		}
	}
	if got := coloured("<code class=\"language-diff\"> a\n- 1\n+ 2\n</code>"); !strings.Contains(got, "<span class=minus>- 1</span>\n<span class=plus>+ 2</span>") {
		t.Error(got)
	}
}
