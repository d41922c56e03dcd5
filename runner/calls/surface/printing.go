package surface

import (
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// printing has what calls print be looked at, which costs some microseconds for each, where
// code of the module that the package needs may print by itself, or other modules may.
func (w *writer) printing() {
	if mayPrint(w.base) || mayPrint(w.head) {
		w.line(-1, "isodeltaH.Printing()")
	}
}

// mayPrint reports whether a package or one that it imports names a standard stream, or what
// writes to one. What other modules do is not looked at.
func mayPrint(v view) bool {
	needed, others := map[string]bool{}, false
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if p == nil || needed[p.Path()] {
			return
		}
		needed[p.Path()] = true
		host, _, _ := strings.Cut(p.Path(), "/")
		own := v.tree.Module != "" && (p.Path() == v.tree.Module || strings.HasPrefix(p.Path(), v.tree.Module+"/"))
		others = others || !own && strings.Contains(host, ".")
		for _, i := range p.Imports() {
			visit(i)
		}
	}
	visit(v.pkg.Code.Types)
	if others {
		return true
	}
	for _, p := range v.tree.Packages {
		if p.Code != nil && needed[p.Code.Types.Path()] && prints(p) {
			return true
		}
	}
	return false
}

func prints(p *load.Package) bool {
	for _, o := range p.Code.TypesInfo.Uses {
		if o.Pkg() == nil {
			continue
		}
		switch name := o.Name(); o.Pkg().Path() {
		case "fmt":
			if strings.HasPrefix(name, "Print") {
				return true
			}
		case "os":
			if name == "Stdout" || name == "Stderr" || name == "NewFile" {
				return true
			}
		case "log", "log/slog", "flag":
			return true
		}
	}
	return false
}
