package revision

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Module is a Go module in a tree.
type Module struct {
	Dir       string // slash path of its folder, "." at the top of the tree
	Path      string // as in its module line
	GoVersion string // as in its go line, "" without one
	Workspace bool   // a go.work file of the tree uses it
	Vendored  bool   // it has a vendor folder, or its workspace has
	Err       error  // why its go.mod cannot be understood; Path may then be ""
}

// Modules lists the Go modules of a tree, sorted by folder. Folders that the go
// command passes over (vendor, testdata, and names that begin with . or _) are
// not searched.
func Modules(root string) ([]Module, error) {
	var modules []Module
	var workspaces []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if n := entry.Name(); file != root && (n == "vendor" || n == "testdata" || n[0] == '.' || n[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		switch entry.Name() {
		case "go.mod":
			m, err := readModule(root, file)
			if err != nil {
				return err
			}
			modules = append(modules, m)
		case "go.work":
			workspaces = append(workspaces, file)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for Go modules: %w", err)
	}
	for _, file := range workspaces {
		if err := applyWorkspace(root, file, modules); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(modules, func(a, b Module) int { return cmp.Compare(a.Dir, b.Dir) })
	return modules, nil
}

func readModule(root, file string) (Module, error) {
	rel, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return Module{}, err
	}
	m := Module{Dir: filepath.ToSlash(rel)}
	content, err := os.ReadFile(file)
	if err != nil {
		return Module{}, err
	}
	m.Vendored = exists(filepath.Join(filepath.Dir(file), "vendor", "modules.txt"))
	parsed, err := modfile.ParseLax(path.Join(m.Dir, "go.mod"), content, nil)
	if err != nil {
		m.Path, m.Err = modfile.ModulePath(content), err
		return m, nil
	}
	if parsed.Module != nil {
		m.Path = parsed.Module.Mod.Path
	}
	if m.Path == "" {
		m.Err = fmt.Errorf("%s: no module line", path.Join(m.Dir, "go.mod"))
	}
	if parsed.Go != nil {
		m.GoVersion = parsed.Go.Version
	}
	return m, nil
}

// applyWorkspace marks the modules that a go.work file uses.
func applyWorkspace(root, file string, modules []Module) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("looking for Go modules: %w", err)
	}
	dir, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return err
	}
	dir = filepath.ToSlash(dir)
	parsed, err := modfile.ParseWork(path.Join(dir, "go.work"), content, nil)
	if err != nil {
		return fmt.Errorf("the workspace cannot be read: %w", err)
	}
	vendored := exists(filepath.Join(filepath.Dir(file), "vendor", "modules.txt"))
	for _, use := range parsed.Use {
		for i := range modules {
			if modules[i].Dir == path.Join(dir, filepath.ToSlash(use.Path)) {
				modules[i].Workspace = true
				modules[i].Vendored = modules[i].Vendored || vendored
			}
		}
	}
	return nil
}

// ModuleFor picks the innermost module that holds prefix, a slash path.
func ModuleFor(modules []Module, prefix string) (Module, bool) {
	best, found := Module{}, false
	for _, m := range modules {
		holds := m.Dir == "." || m.Dir == prefix || strings.HasPrefix(prefix, m.Dir+"/")
		if holds && (!found || best.Dir == "." || len(m.Dir) > len(best.Dir)) {
			best, found = m, true
		}
	}
	return best, found
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
