package isomorph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a directive embeds is read as the go command reads it, and a link leads nowhere else.
func TestEmbeddedText(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"views/a.tmpl": "a", "views/deep/b.tmpl": "b", "views/.hidden": "h", "views/_draft/c.tmpl": "c", "own file.txt": "o"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for pattern, want := range map[string]string{
		"views": "views/a.tmpl views/deep/b.tmpl", "all:views": "views/.hidden views/_draft/c.tmpl views/a.tmpl views/deep/b.tmpl",
		"views/*.tmpl": "views/a.tmpl", "own file.txt": "own file.txt", "link": "", "link/secret": "", "../*": "", "[": "",
	} {
		var names []string
		for _, part := range strings.Split(embeddedText(dir, []string{pattern}), `"`) {
			if strings.Contains(part, ".") || strings.Contains(part, "secret") {
				names = append(names, part)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s embeds %q, want %q", pattern, got, want)
		}
	}
	before := embeddedText(dir, []string{"views"})
	if err := os.WriteFile(filepath.Join(dir, "views", "a.tmpl"), []byte("A"), 0o644); err != nil {
		t.Fatal(err)
	}
	if embeddedText(dir, []string{"views"}) == before {
		t.Error("another template is the same")
	}
}
