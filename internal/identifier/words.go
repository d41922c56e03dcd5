package identifier

import (
	"strings"
	"unicode"
)

// Words splits "ParseHTTPDate2" into Parse, HTTP, Date, 2.
func Words(name string) []string {
	var out []string
	r := []rune(name)
	begin := 0
	for i := 1; i <= len(r); i++ {
		if i < len(r) {
			lower := unicode.IsLower(r[i-1]) && unicode.IsUpper(r[i])
			acronym := i+1 < len(r) && unicode.IsUpper(r[i-1]) && unicode.IsUpper(r[i]) && unicode.IsLower(r[i+1])
			other := unicode.IsLetter(r[i]) != unicode.IsLetter(r[i-1])
			if !lower && !acronym && !other {
				continue
			}
		}
		if w := strings.Trim(string(r[begin:i]), "_"); w != "" {
			out = append(out, w)
		}
		begin = i
	}
	return out
}
