//go:build go1.21

package harness

import (
	"regexp/syntax"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// routes are what the sequence seems to have registered: see builder.routes.
type routes struct{ methods, paths, hosts []string }

// routes are the methods, paths and hosts that the sequence seems to have registered: texts
// that are paths or methods, and operations that are named after a method or a host.
func (b *builder) routes() (out routes) {
	for i, s := range b.p {
		name := b.g.m.Ops[s.Op].Name
		name = name[strings.LastIndexByte(name, '.')+1:]
		if m := strings.ToUpper(name); isMethod(m) {
			out.methods = append(out.methods, m)
		}
		host := strings.HasPrefix(name, "Host")
		(b.p[i : i+1]).Walk(func(_ int, l *wire.Lit) {
			switch {
			case l.Form != wire.Text:
			case isMethod(l.S):
				out.methods = append(out.methods, l.S)
			case strings.HasPrefix(l.S, "/"):
				out.paths = append(out.paths, l.S)
			case host && l.S != "":
				out.hosts = append(out.hosts, l.S)
			}
		})
	}
	return out
}

func isMethod(s string) bool {
	for _, m := range requestMethods {
		if s == m {
			return true
		}
	}
	return false
}

// beside is the path of a request, or one near it: with a slash or a segment more or less, a
// character less, another case.
func beside(r *Rand, path string) string {
	switch r.Intn(10) {
	case 0:
		if strings.HasSuffix(path, "/") {
			return strings.TrimSuffix(path, "/") + "a"
		}
		return path + "/"
	case 1:
		return path + "/a"
	case 2:
		if len(path) > 2 && path[len(path)-3] != '%' {
			return path[:len(path)-1]
		}
	case 3:
		return path[:strings.LastIndexByte(path, '/')+1]
	case 4:
		return "/" + path
	case 5:
		return strings.ToUpper(path)
	}
	return path
}

func isFieldName(s string) bool {
	return s != "" && strings.Trim(s, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// targetOf makes the target of a request of a text: a path, in which parameters of a route
// have values.
func targetOf(r *Rand, s string) string {
	if i := strings.IndexByte(s, ' '); i > 0 && strings.Trim(s[:i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		s = s[i+1:] // a route with its method
	}
	if !strings.HasPrefix(s, "/") && !strings.Contains(s, "://") {
		s = "/" + s
	}
	s = filled(r, s)
	if r.Chance(10) {
		s += "/"
	}
	return s
}

// query is the query of a request, or a form: keys and values of the code's texts, now and then a key
// twice, one without a value, or one that is only named.
func (b *builder) query() string {
	r := b.g.r
	var pairs []string
	key := ""
	for n := 1 + r.Intn(3); n > 0; n-- {
		if key == "" || r.Chance(60) {
			if key = b.askedName(30); key == "" {
				key = escaped(b.text(spot{-1, -1}))
			}
			if key == "" {
				key = "a"
			}
		}
		switch r.Intn(8) {
		case 0:
			pairs = append(pairs, key)
		case 1:
			pairs = append(pairs, key+"=")
		case 2, 3:
			pairs = append(pairs, key+"="+[]string{"0", "1", "2", "true", "b"}[r.Intn(5)])
		default:
			pairs = append(pairs, key+"="+escaped(b.text(spot{-1, -1})))
		}
	}
	return strings.Join(pairs, "&")
}

// escaped is a text as a query holds it, cut where it is long.
func escaped(s string) string {
	const most, digits = 24, "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s) && i < most; i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~[]", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}

// hostOf makes the beginning of a request's target of a text: the scheme and a host, in which
// parameters of a route have values, mostly with its port.
func hostOf(r *Rand, s string) string {
	s = "http://" + filled(r, strings.ReplaceAll(s, "/", ""))
	if strings.LastIndexByte(s, ':') < len("http:/") && r.Chance(60) {
		s += []string{":80", ":8080", ":443"}[r.Intn(3)]
	}
	return s
}

// filled is a route whose parameters have values: {name}, {name:expression}, :name and
// *name at the beginning of a segment.
func filled(r *Rand, s string) string {
	var b strings.Builder
	for len(s) > 0 {
		c := s[0]
		n := 1
		segment := strings.HasSuffix(b.String(), "/")
		switch {
		case c == '{':
			if n = braced(s); n > 1 {
				_, expression, _ := strings.Cut(s[1:n-1], ":")
				b.WriteString(matching(r, expression))
			}
		case (c == ':' || c == '*') && segment:
			for n < len(s) && s[n] != '/' {
				n++
			}
			b.WriteString([]string{"1", "a"}[r.Intn(2)])
		case c <= ' ' || c >= 0x7f:
			b.WriteString("%20")
		default:
			b.WriteByte(c)
		}
		s = s[n:]
	}
	return b.String()
}

// braced is the length of the part in braces that a text begins with, 1 where it has no end.
func braced(s string) int {
	depth := 0
	for i := range []byte(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 1
}

// matching returns a short text that a plain regular expression matches. Of others it
// returns some value.
func matching(r *Rand, expression string) string {
	if e, err := syntax.Parse(expression, syntax.Perl); err == nil && expression != "" {
		var b strings.Builder
		if writeMatch(r, &b, e.Simplify()) && b.Len() <= maxMatch {
			return b.String()
		}
	}
	return []string{"1", "a", "42", "a.b"}[r.Intn(4)]
}

const maxMatch = 64 // bytes of a text that an expression matches

// writeMatch reports whether it knows what an expression matches.
func writeMatch(r *Rand, b *strings.Builder, e *syntax.Regexp) bool {
	if b.Len() > maxMatch {
		return false
	}
	times := 1
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
		return true
	case syntax.OpCharClass:
		if len(e.Rune) == 0 {
			return false
		}
		first, last := e.Rune[0], e.Rune[1]
		for i := 0; i+1 < len(e.Rune); i += 2 {
			if e.Rune[i] < 'a' && e.Rune[i+1] > 'z' {
				first, last = 'a', 'z' // all but some, as [^/]
			}
		}
		b.WriteRune(first + rune(r.Intn(1+int(min(last-first, 3)))))
		return true
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("a1"[r.Intn(2)])
		return true
	case syntax.OpAlternate:
		return writeMatch(r, b, e.Sub[r.Intn(len(e.Sub))])
	case syntax.OpStar, syntax.OpPlus:
		times = 1 + r.Intn(3)
	case syntax.OpQuest:
		times = r.Intn(2)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary:
		return true
	case syntax.OpConcat, syntax.OpCapture:
	default:
		return false
	}
	for ; times > 0; times-- {
		for _, sub := range e.Sub {
			if !writeMatch(r, b, sub) {
				return false
			}
		}
	}
	return true
}
