package gomod

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// Rename gives the module in dir another path: in its go.mod, and where its files import
// packages of it. Nested modules, vendored code and testdata are left as they are, and so
// are files that cannot be read as Go. Lines stay where they are.
func Rename(dir, from, to string) error {
	name := filepath.Join(dir, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	parsed, err := modfile.ParseLax(name, content, nil)
	if err != nil {
		return err
	}
	if err := parsed.AddModuleStmt(to); err != nil {
		return err
	}
	if content, err = parsed.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return err
	}
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != dir:
			n := entry.Name()
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if n == "vendor" || n == "testdata" || n[0] == '.' || n[0] == '_' || err == nil {
				return filepath.SkipDir
			}
		case entry.Type().IsRegular() && filepath.Ext(file) == ".go":
			return renameImports(file, from, to)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("rename module %s to %s: %w", from, to, err)
	}
	return nil
}

// renameImports writes a file's imports of a module's packages with another module path.
func renameImports(file, from, to string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, content, parser.ImportsOnly)
	if err != nil {
		return nil // building says so
	}
	changed := false
	for _, spec := range slices.Backward(f.Imports) { // so that offsets before it stay right
		path, err := strconv.Unquote(spec.Path.Value)
		rest, below := strings.CutPrefix(path, from)
		if err != nil || !below || rest != "" && rest[0] != '/' {
			continue
		}
		start := fset.Position(spec.Path.Pos()).Offset
		renamed := strconv.Quote(to + rest)
		content = slices.Concat(content[:start], []byte(renamed), content[start+len(spec.Path.Value):])
		changed = true
	}
	if !changed {
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, info.Mode().Perm())
}
