package isomorph

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxEmbedded bounds an embedded file that is read, in bytes; of a longer one the size counts alone.
const maxEmbedded = 16 << 20

// addEmbedded notes what go:embed directives put into the variables of a package: the names of the files, and
// a digest of each. What reads such a variable does something else where a template has changed.
func (v *variables) addEmbedded(u unit, fset *token.FileSet) {
	for _, file := range u.files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				s := spec.(*ast.ValueSpec)
				doc := s.Doc
				if doc == nil && len(d.Specs) == 1 {
					doc = d.Doc
				}
				patterns := embedPatterns(doc)
				if len(patterns) == 0 || len(s.Names) != 1 {
					continue
				}
				if declared, ok := u.info.Defs[s.Names[0]].(*types.Var); ok && declared.Pkg() != nil {
					v.values[variable(declared)] = embeddedText(filepath.Dir(fset.Position(s.Pos()).Filename), patterns)
				}
			}
		}
	}
}

// embedPatterns are those of the go:embed directives in a comment.
func embedPatterns(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var out []string
	for _, c := range doc.List {
		out = append(out, EmbedPatterns(c.Text)...)
	}
	return out
}

// EmbedPatterns are the patterns of a line that is a go:embed directive, each with "all:" where that stands before it; nil
// of another line.
func EmbedPatterns(line string) []string {
	rest, ok := strings.CutPrefix(line, "//go:embed ")
	if !ok {
		return nil
	}
	var out []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			if text, err := strconv.Unquote(quoted); err == nil {
				out = append(out, text)
			}
			rest = rest[len(quoted):]
			continue
		}
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		out = append(out, word)
	}
	return out
}

// embeddedText is the text of what patterns of a package in dir embed: see [embed]. What cannot be read counts by its name.
// Links that lead out of dir are not followed.
func embeddedText(dir string, patterns []string) string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "embed"
	}
	defer root.Close()
	tree := root.FS()
	digests := map[string]string{}
	for _, pattern := range patterns {
		pattern, all := strings.CutPrefix(pattern, "all:")
		names, _ := fs.Glob(tree, pattern) // one that is damaged embeds nothing
		for _, name := range names {
			_ = fs.WalkDir(tree, name, func(path string, d fs.DirEntry, err error) error {
				hidden := path != name && !all && strings.ContainsAny(d.Name()[:1], "._")
				switch {
				case err != nil:
					return nil
				case d.IsDir() && hidden:
					return fs.SkipDir
				case d.Type().IsRegular() && !hidden:
					digests[path] = fileDigest(tree, path, d)
				}
				return nil
			})
		}
	}
	var b strings.Builder
	b.WriteString("embed")
	for _, path := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&b, " %q %s", path, digests[path])
	}
	return b.String()
}

func fileDigest(tree fs.FS, name string, d fs.DirEntry) string {
	info, err := d.Info()
	if err != nil {
		return "?"
	}
	if info.Size() <= maxEmbedded {
		if text, err := fs.ReadFile(tree, name); err == nil {
			return fmt.Sprintf("%x", sha256.Sum256(text))
		}
	}
	return strconv.FormatInt(info.Size(), 10)
}
