//go:build go1.21

package probe

import "strings"

// closure begins the last part of the name that the run time has for a function literal.
const closure = ".func"

// maskClosures replaces names of function literals, which the run time tells: the compiler makes
// them of the functions around, and of those that a call was inlined from. from is where the first
// may be.
func maskClosures(s string, from int) string {
	var b strings.Builder
	for {
		i := strings.Index(s[from:], closure)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		i += from
		end := i + len(closure)
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		begin := i
		for begin > 0 && namesFunction(s[begin-1]) {
			begin--
		}
		// The path of the package goes up to the first point of its last element.
		path := begin + strings.LastIndexByte(s[begin:i], '/') + 1
		point := strings.IndexByte(s[path:i], '.')
		if end == i+len(closure) || point <= 0 {
			from = end
			continue
		}
		// Literals within it have numbers, or are named in the same way.
		for end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
			for end++; end < len(s) && isDigit(s[end]); end++ {
			}
		}
		for strings.HasPrefix(s[end:], closure) && end+len(closure) < len(s) && isDigit(s[end+len(closure)]) {
			for end += len(closure); end < len(s) && isDigit(s[end]); end++ {
			}
		}
		b.WriteString(s[:path+point] + ".CLOSURE")
		s, from = s[end:], 0
	}
}

func namesFunction(c byte) bool {
	return c == '_' || c == '.' || c == '/' || c == '(' || c == ')' || c == '*' || c == '-' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
