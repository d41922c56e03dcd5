package calls

import (
	"go/scanner"
	"go/token"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// declaring puts what the test declares behind it, with names that no other pasted test of the package declares.
func (f *testFile) declaring(test string) string {
	names := map[string]string{}
	for _, s := range f.Code.Stubs {
		test += "\n" + s.Text
		names[s.Name] = s.Name + "_" + shortID(f.ID)
	}
	return renamed(wire.Qualify(test, f.qualifier), names)
}

// renamed gives identifiers of a source other names. Texts and fields that are called the same stay, and of comments
// all but the first word.
func renamed(src string, names map[string]string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var out strings.Builder
	written := 0
	rename := func(at int, name string) {
		out.WriteString(src[written:at] + names[name])
		written = at + len(name)
	}
	for before := token.ILLEGAL; ; {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		switch first, _, _ := strings.Cut(strings.TrimPrefix(lit, "// "), " "); {
		case tok == token.IDENT && before != token.PERIOD && names[lit] != "":
			rename(at, lit)
		case tok == token.COMMENT && names[first] != "":
			rename(at+len("// "), first)
		}
		before = tok
	}
	return out.String() + src[written:]
}
