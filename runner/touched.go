package runner

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// touched counts, for each module that both versions have, the sources, embedded files and go.mod files in
// it that differ, tests left out. Modules are named by their folder.
func (r *run) touched(modules []revision.Module) (map[string]int, error) {
	base, head := r.versions[version.Base], r.versions[version.Head]
	overlay, err := revision.Overlay(head.Root, base.Root)
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for file := range overlay {
		rel, err := filepath.Rel(head.Root, file)
		if err != nil {
			return nil, err
		}
		rel = filepath.ToSlash(rel)
		source := path.Ext(rel) == ".go" || path.Base(rel) == "go.mod" || embeds(head.Root, rel)
		if !source || strings.Contains("/"+rel, "/vendor/") {
			continue
		}
		m, ok := revision.ModuleFor(modules, path.Dir(rel))
		if !ok {
			continue
		}
		if r.onBase(m) {
			out[m.Dir]++
		}
	}
	return out, nil
}

// chooseModule returns the module to compare: the one that is asked for, or the one that holds the folder the user stands
// in. At the top of a repository that says little: it is the one that holds all packages asked for, if the change is in it
// or in a module that it takes from a folder, as one of tests does. Where no module is there, or the change leaves it
// alone, the module with most files that differ is compared.
func (r *run) chooseModule(modules []revision.Module, prefix string, touched map[string]int) (revision.Module, bool) {
	if at := slices.IndexFunc(modules, func(m revision.Module) bool { return m.Dir == r.opt.Module }); at >= 0 {
		return modules[at], true
	}
	m, ok := revision.ModuleFor(modules, prefix)
	if asked, all := moduleOf(modules, r.opt.Packages); all && prefix == "." && r.opt.Loaded == nil && (touched[asked.Dir] > 0 || len(r.taken(asked, touched)) > 0) {
		return asked, true
	}
	if prefix != "." || r.opt.Loaded != nil || ok && touched[m.Dir] > 0 || len(touched) == 0 {
		return m, ok
	}
	most := slices.MaxFunc(slices.Sorted(maps.Keys(touched)), func(a, b string) int {
		return cmp.Or(cmp.Compare(touched[a], touched[b]), cmp.Compare(b, a))
	})
	at := slices.IndexFunc(modules, func(m revision.Module) bool { return m.Dir == most })
	return modules[at], true
}

// taken returns the modules that head's go.mod of a module replaces by a folder of the repository that the
// change is in: what is built with them is built with the change.
func (r *run) taken(m revision.Module, touched map[string]int) (modules []string) {
	const maxGoMod = 1 << 20
	text, err := regular.ReadFile(filepath.Join(r.versions[version.Head].Dir(m.Dir), "go.mod"), maxGoMod)
	if err != nil {
		return nil
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil
	}
	for _, replace := range file.Replace {
		if replace.New.Version == "" && !path.IsAbs(replace.New.Path) && touched[path.Join(m.Dir, replace.New.Path)] > 0 {
			modules = append(modules, replace.Old.Path)
		}
	}
	return modules
}

// moduleOf returns the module that holds the folders of all patterns, seen from the top of the repository.
func moduleOf(modules []revision.Module, patterns []string) (m revision.Module, all bool) {
	for i, p := range patterns {
		folder := strings.TrimSuffix(p, "/...")
		if !strings.HasPrefix(folder, "./") {
			return m, false
		}
		now, ok := revision.ModuleFor(modules, path.Clean(folder))
		if !ok || i > 0 && now.Dir != m.Dir {
			return m, false
		}
		m = now
	}
	return m, len(patterns) > 0
}

// otherModules says which of several modules is compared, and which others the change is in.
func otherModules(modules []revision.Module, m revision.Module, prefix string, patterns []string, touched map[string]int) string {
	text := fmt.Sprintf("the repository holds %d modules; this comparison is of the one %s", len(modules), inFolder(m.Dir))
	if asked, all := moduleOf(modules, patterns); all && prefix == "." && asked.Dir == m.Dir {
		text += ", which holds the packages asked for"
	} else if prefix == "." && m.Dir != "." {
		text += ", in which most files differ"
	}
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(touched)), func(dir string) bool { return dir == m.Dir })
	if len(others) == 0 {
		return text + ", run isodelta in another module's folder for that one"
	}
	return text + "; the change is in others, too: run isodelta in " + listOf(others)
}

// inFolder says where a module is.
func inFolder(dir string) string {
	if dir == "." {
		return "at the top"
	}
	return "in " + dir
}

// listOf names the first of some folders.
func listOf(folders []string) string {
	const named = 5
	list := strings.Join(folders[:min(len(folders), named)], ", ")
	if more := len(folders) - named; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
