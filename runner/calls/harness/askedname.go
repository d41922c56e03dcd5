//go:build go1.21

package harness

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Middleware is told by what name it finds its value in a request: of a cookie, a header field, or a key of the query. Requests made
// later in the sequence have something by these names.

// maxAskedNames bounds the names that are taken out of one sequence.
const maxAskedNames = 16

// askedNames are the texts that earlier steps give and that can be names in a request.
func (b *builder) askedNames() (names []string) {
	b.p.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Text && len(l.S) < 32 && isCookieName(l.S) && !isMethod(l.S) && len(names) < maxAskedNames {
			names = append(names, l.S)
		}
	})
	return names
}

// askedName is, in so many of a hundred cases, one of askedNames; else, and where there are none, "".
func (b *builder) askedName(percent int) string {
	if !b.g.r.Chance(percent) {
		return ""
	}
	names := b.askedNames()
	if len(names) == 0 {
		return ""
	}
	return names[b.g.r.Intn(len(names))]
}

// isCookieName reports whether a text can be the name of a cookie, and is written as such names are.
func isCookieName(s string) bool {
	return s != "" && isFieldName(strings.NewReplacer("_", "", ".", "").Replace(s))
}

// cookie is the value of a Cookie field: of a cookie that is asked for, if anything is, else of any. What it holds is mostly nothing
// that was ever set.
func (b *builder) cookie() string {
	r := b.g.r
	name := b.askedName(80)
	if name == "" {
		if name = b.text(spot{-1, -1}); !isCookieName(name) {
			name = "a"
		}
	}
	value := b.text(spot{-1, -1})
	if r.Chance(50) || !isCookieName(value) {
		value = cookieValues[r.Intn(len(cookieValues))]
	}
	return name + "=" + value
}

var cookieValues = []string{"a", "1", "", `"a"`, "a%20b", "YQ==", "MTIzNDU2Nzg5MHxhfGE=", "e30.e30.YQ"}
