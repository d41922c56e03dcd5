package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// Templates belong to what is compiled; what lies beside them does not.
func TestEmbeds(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n", "gen/gen.go": "package gen\n\nimport \"embed\"\n\n//go:embed templates all:static \"own file.txt\"\nvar files embed.FS\n",
		"gen/gen_test.go": "package gen\n\n//go:embed data.txt\n", "gen/inner/go.mod": "module example.com/m/gen/inner\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]bool{
		"gen/templates/a.tmpl": true, "gen/templates/deep/b.tmpl": true, "gen/static/x.css": true, "gen/own file.txt": true,
		"gen/README.md": false, "gen/data.txt": false, "README.md": false, "templates/a.tmpl": false,
		"gen/inner/templates/a.tmpl": false,
	} {
		if got := embeds(root, file); got != want {
			t.Errorf("%s: %t, want %t", file, got, want)
		}
	}
}
