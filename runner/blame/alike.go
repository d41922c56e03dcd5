package blame

import (
	"crypto/sha256"
	"encoding/hex"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/revision"
)

// fewestTokens is how many tokens an edit takes away and puts in at least, together, for it to be told from others
// that do the same by chance: that one number becomes another says nothing.
const fewestTokens = 8

// alike is the same for units that do the same to other names and literals: what was written to a field by a method is
// now assigned, in three functions; and for those that put one name in the place of another, of a function, say, that is
// called in many places. It is "" for those that do too little, or nothing that can be read.
func (s *Stage) alike(u unit) string {
	h := sha256.New()
	total := 0
	for _, f := range s.files {
		if f.change.Path != u.file {
			continue
		}
		for _, hunk := range inOne(u.hunks) {
			base := tokensOf(cut(f.base, hunk.BaseLine, hunk.BaseLines))
			head := tokensOf(cut(f.head, hunk.HeadLine, hunk.HeadLines))
			from := 0
			for from < min(len(base), len(head)) && base[from] == head[from] {
				from++
			}
			base, head = base[from:], head[from:]
			for len(base) > 0 && len(head) > 0 && base[len(base)-1] == head[len(head)-1] {
				base, head = base[:len(base)-1], head[:len(head)-1]
			}
			if was, is := named(base), named(head); was != "" && is != "" {
				total += fewestTokens
				h.Write([]byte(was + " " + is + "\n"))
				continue
			}
			total += len(base) + len(head)
			for _, list := range [][]string{base, head} {
				h.Write([]byte(strings.Join(generic(list), " ") + "\n"))
			}
		}
	}
	if total < fewestTokens {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// fewestLetters is how long a name is at least that tells something by itself.
const fewestLetters = 4

// named is the name that tokens are, that of its package left out; "" for anything else.
func named(tokens []string) string {
	if len(tokens) == 3 && token.IsIdentifier(tokens[0]) && tokens[1] == "." {
		tokens = tokens[2:]
	}
	if len(tokens) != 1 || !token.IsIdentifier(tokens[0]) || len(tokens[0]) < fewestLetters || types.Universe.Lookup(tokens[0]) != nil {
		return ""
	}
	return tokens[0]
}

// inOne puts hunks into one where they have more lines than lie between them: which lines of a function that is
// written anew are the same in both versions is a matter of chance.
func inOne(hunks []revision.Hunk) []revision.Hunk {
	if len(hunks) < 2 {
		return hunks
	}
	first, last := hunks[0], hunks[len(hunks)-1]
	whole := revision.Hunk{BaseLine: first.BaseLine, BaseLines: last.BaseLine + last.BaseLines - first.BaseLine,
		HeadLine: first.HeadLine, HeadLines: last.HeadLine + last.HeadLines - first.HeadLine}
	changed := 0
	for _, h := range hunks {
		changed += h.BaseLines + h.HeadLines
	}
	if 2*changed <= whole.BaseLines+whole.HeadLines {
		return hunks
	}
	return []revision.Hunk{whole}
}

// sized matches types of numbers that tell their size.
var sized = lazyregexp.New(`^(u?int|float|complex)[0-9]+$`)

// tokensOf are the tokens of lines, comments and the ends of lines left out.
func tokensOf(lines []string) []string {
	text := []byte(strings.Join(lines, "\n"))
	files := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(files.AddFile("", -1, len(text)), text, nil, 0)
	var out []string
	for {
		_, t, word := sc.Scan()
		switch {
		case t == token.EOF:
			return out
		case t == token.SEMICOLON && word == "\n":
		case t.IsLiteral():
			out = append(out, word)
		default:
			out = append(out, t.String())
		}
	}
}

// generic puts one word for all names and literals, but for what is selected and what the language declares, numbers of
// some size left out.
func generic(tokens []string) []string {
	out := slices.Clone(tokens)
	for i, t := range tokens {
		selected := i > 0 && tokens[i-1] == "."
		if !selected && (token.IsIdentifier(t) && (types.Universe.Lookup(t) == nil || sized().MatchString(t)) || strings.ContainsAny(t[:1], "0123456789\"'`")) {
			out[i] = "x"
		}
	}
	return out
}
