package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/version"
)

// Both trees get the name, also where it is the one that they have.
func TestNameTrees(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{"example.com/m": "m", "example.com/tree": unnamedTree, "": unnamedTree} {
		dir := t.TempDir()
		var versions version.Both[*build.Version]
		for _, side := range version.Sides {
			versions[side] = &build.Version{Side: side, Root: filepath.Join(dir, side.String(), unnamedTree)}
			if err := os.MkdirAll(versions[side].Root, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if module != "" {
			if err := os.WriteFile(filepath.Join(versions[version.Head].Root, "go.mod"), []byte("module "+module+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := nameTrees(versions); err != nil {
			t.Errorf("%s: %v", module, err)
		}
		for _, side := range version.Sides {
			if info, err := os.Stat(versions[side].Root); err != nil || !info.IsDir() || filepath.Base(versions[side].Root) != want {
				t.Errorf("%s: %s is %s, %v", module, side, versions[side].Root, err)
			}
		}
	}
}

func TestTreeName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ module, want string }{
		{"github.com/go-pdf/fpdf", "fpdf"},
		{"github.com/go-pdf/fpdf/v2", "fpdf"},
		{"gopkg.in/yaml.v3", "yaml"},
		{"example.com", "example.com"},
		{"example.com/a/../..", "tree"},
		{"example.com/-rf", "tree"},
		{"example.com/.ssh", "tree"},
		{"", "tree"},
	} {
		if got := treeName(tt.module); got != tt.want {
			t.Errorf("treeName(%q) = %q, want %q", tt.module, got, tt.want)
		}
	}
}
