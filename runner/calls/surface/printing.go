package surface

import (
	"go/ast"
	"go/types"
	"slices"
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

// spawning has callbacks not panic where code of the module that the package needs may call them on a goroutine.
func (w *writer) spawning() {
	if maySpawn(w.base) || maySpawn(w.head) {
		w.line(-1, "isodeltaH.Spawning()")
	}
}

// mayPrint reports whether a package or one that it imports names a standard stream, or what
// writes to one. What other modules do is not looked at.
func mayPrint(v view) bool { return v.needs(prints) }

// maySpawn reports whether a package or one that it imports starts goroutines. What other modules do is not
// looked at.
func maySpawn(v view) bool { return v.needs(startsGoroutines) }

// needs reports whether something holds for a package of the module, which the package is or imports, or
// it imports another module.
func (v view) needs(something func(*load.Package) bool) bool {
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
	return others || slices.ContainsFunc(v.tree.Packages, func(p *load.Package) bool {
		return p.Code != nil && needed[p.Code.Types.Path()] && something(p)
	})
}

// startsGoroutines reports whether a package has a go statement, or has package time call a function.
func startsGoroutines(p *load.Package) bool {
	for _, o := range p.Code.TypesInfo.Uses {
		if o.Name() == "AfterFunc" && o.Pkg() != nil && o.Pkg().Path() == "time" {
			return true
		}
	}
	return slices.ContainsFunc(p.Code.Syntax, func(f *ast.File) bool { return hasGo(f) })
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
