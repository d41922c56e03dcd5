package surface

import (
	"go/types"
	"os"
	"regexp"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// unlinked reports whether a version declares a function without a body that none of the package's assembly files has:
// nothing links that names such a function, and no code of the package does.
func (w *writer) unlinked(b, h *types.Func) bool {
	functions, views := version.Both[*types.Func]{b, h}, version.Both[view]{w.base, w.head}
	for v, f := range functions {
		d := w.decls[v][f.Origin().Pos()]
		if d != nil && d.Body == nil && !assembled(find(views[v].tree, f.Pkg().Path()), f.Name()) {
			return true
		}
	}
	return false
}

// assembled reports whether an assembly file of a package has the text of a function.
func assembled(p *load.Package, name string) bool {
	if p == nil || p.Code == nil {
		return false
	}
	text := regexp.MustCompile(`(?m)^\s*TEXT\s+\S*·` + regexp.QuoteMeta(name) + `[(<]`)
	for _, file := range p.Code.OtherFiles {
		if !strings.HasSuffix(file, ".s") {
			continue
		}
		if code, err := os.ReadFile(file); err == nil && text.Match(code) {
			return true
		}
	}
	return false
}
