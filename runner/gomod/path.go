package gomod

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Path returns the module path of a tree without go.mod. Origin is the URL of the
// repository that it is from, "" where it is not known. Files that cannot be read say
// nothing.
func Path(root, origin string) string {
	s := survey{folders: map[string]bool{}, imports: map[string]int{}, comments: map[string]int{}}
	s.walk(root)
	if p := favourite(s.comments); p != "" {
		return p
	}
	own := s.own()
	from := ofURL(origin)
	switch p := favourite(own); {
	case from == "" && p != "":
		return p
	case from == "":
		return cmp.Or(told(root), "example.com/"+cmp.Or(s.name, "module"))
	case own[from] == 0 && path.Base(p) == path.Base(from):
		return p // a fork is imported by the first one's path
	}
	return from
}

// told is the path that the README says to get, "" for none.
func told(root string) string {
	files, err := filepath.Glob(filepath.Join(root, "README*"))
	if err != nil {
		return ""
	}
	counts := map[string]int{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, m := range got().FindAllSubmatch(content, -1) {
			if p := strings.TrimRight(string(m[1]), "./"); module.CheckPath(p) == nil {
				counts[p]++
			}
		}
	}
	return favourite(counts)
}

// got matches what is fetched with the go command.
var got = lazyregexp.New(`go (?:get|install)(?: -[a-z]+)* ([\w.-]+\.[a-z]+/[\w./-]+)`)

// survey is what the files of a tree say of its import path.
type survey struct {
	name     string          // of the package at the top
	folders  map[string]bool // that hold Go files, slash paths; "." is not among them
	imports  map[string]int  // how often each path is imported
	comments map[string]int  // how often import comments say each module path
}

func (s *survey) walk(root string) {
	each(root, func(file string) error {
		if rel, err := filepath.Rel(root, file); err == nil {
			s.add(file, path.Dir(filepath.ToSlash(rel)))
		}
		return nil
	})
}

// HasGo reports whether there are Go files in a tree.
func HasGo(root string) bool {
	has := false
	each(root, func(string) error {
		has = true
		return fs.SkipAll
	})
	return has
}

// each visits the Go files of a tree that the go command would find.
func each(root string, visit func(file string) error) {
	_ = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if n := entry.Name(); entry.IsDir() {
			if file != root && (n == "vendor" || n == "testdata" || n[0] == '.' || n[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(file, ".go") && entry.Type().IsRegular() {
			return visit(file)
		}
		return nil
	})
}

// add takes what a file in a folder says.
func (s *survey) add(file, dir string) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return
	}
	name := strings.TrimSuffix(parsed.Name.Name, "_test")
	if dir == "." && name != "main" {
		s.name = cmp.Or(s.name, name)
	}
	if dir != "." {
		s.folders[dir] = true
	}
	if p := importComment(fset, parsed); p != "" {
		if p, ok := above(p, dir); ok {
			s.comments[p]++
		}
	}
	for _, spec := range parsed.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			s.imports[p]++
		}
	}
}

// importComment returns the path that stands behind the package clause, "" for none.
func importComment(fset *token.FileSet, file *ast.File) string {
	for _, group := range file.Comments {
		c := group.List[0]
		if c.Pos() < file.Name.End() || fset.Position(c.Pos()).Line != fset.Position(file.Name.Pos()).Line {
			continue
		}
		if m := commented().FindStringSubmatch(c.Text); m != nil && module.CheckImportPath(m[1]) == nil {
			return m[1]
		}
	}
	return ""
}

var commented = lazyregexp.New(`^/[/*]\s*import\s+"([^"]+)"`)

// above is the module's path, of the path of a package and its folder.
func above(p, dir string) (string, bool) {
	if dir == "." {
		return p, true
	}
	return strings.CutSuffix(p, "/"+dir)
}

// own counts the module paths by which files of the tree could import what lies in it.
func (s *survey) own() map[string]int {
	out := map[string]int{}
	for p, n := range s.imports {
		if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") || module.CheckImportPath(p) != nil {
			continue
		}
		if path.Base(p) == s.name {
			out[p] += n
		}
		for dir := range s.folders {
			if p, ok := strings.CutSuffix(p, "/"+dir); ok && strings.Contains(p, "/") {
				out[p] += n
			}
		}
	}
	return out
}

// favourite is the key with the highest count, the first of several; "" of none.
func favourite(counts map[string]int) string {
	best := ""
	for _, p := range slices.Sorted(maps.Keys(counts)) {
		if best == "" || counts[p] > counts[best] {
			best = p
		}
	}
	return best
}

// ofURL is the import path of a repository at a URL, "" for what is no path of a module.
func ofURL(url string) string {
	p := url
	if _, rest, ok := strings.Cut(p, "://"); ok {
		p = rest
	} else if host, rest, ok := strings.Cut(p, ":"); ok { // as in git@host:owner/name
		p = host + "/" + rest
	}
	if _, rest, ok := strings.Cut(p, "@"); ok {
		p = rest
	}
	p = strings.TrimSuffix(strings.Trim(p, "/"), ".git")
	if module.CheckPath(p) != nil || !strings.Contains(p, "/") {
		return ""
	}
	return p
}
