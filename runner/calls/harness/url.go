//go:build go1.21

package harness

import "strings"

// A URL has parts that few texts have, and that code treats one by one: who asks, the port, the query.

// urlParts are a URL in a text, and what stands around it.
type urlParts struct {
	before, scheme, user, host, port, path, query, fragment, behind string
}

const urlMark = "://"

// cutURL takes the first URL of a text apart. Each part keeps the sign that tells it.
func cutURL(s string) (u urlParts, ok bool) {
	at := strings.Index(s, urlMark)
	if at < 0 {
		return u, false
	}
	from := at
	for from > 0 && isLetter(s[from-1]) {
		from--
	}
	u.before, u.scheme = s[:from], s[from:at]
	rest := s[at+len(urlMark):]
	if end := strings.IndexAny(rest, " \t\r\n\"'`<>(){}\\,;"); end >= 0 {
		rest, u.behind = rest[:end], rest[end:]
	}
	cut := func(sign string) (part string) {
		if i := strings.IndexAny(rest, sign); i >= 0 {
			rest, part = rest[:i], rest[i:]
		}
		return part
	}
	u.fragment, u.query = cut("#"), cut("?")
	u.path = cut("/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		u.user, rest = rest[:i+1], rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.IndexByte(rest, ']') {
		rest, u.port = rest[:i], rest[i:]
	}
	u.host = rest
	return u, true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func (u urlParts) text() string {
	return u.before + u.scheme + urlMark + u.user + u.host + u.port + u.path + u.query + u.fragment + u.behind
}

var (
	urlUsers     = []string{"a:b@", "a:b@", "a@", ":b@", "a%40b:c%3Ad@", "@"}
	urlHosts     = []string{"localhost", "127.0.0.1", "[::1]", "example.com", "a", "", "a.example.com."}
	urlPorts     = []string{":80", ":443", ":8080", ":0", ":", ":65536"}
	urlPaths     = []string{"/", "/a", "/a/", "/a/b", "//", "/a//b", "/a/../b", "/%2F", "/a%20b", "/."}
	urlQueries   = []string{"?a=b", "?a=b&a=c", "?a", "?", "?a=b%26c", "?a=b+c"}
	urlFragments = []string{"#a", "#", "#/a?b=c"}
	urlSchemes   = []string{"http", "https", "ftp", "HTTPS", "file", "a"}
)

// otherURL changes one part of the URL in a text: it is left out where it is there, or is another one.
func otherURL(r *Rand, u urlParts) string {
	other := func(part *string, list []string) {
		if *part != "" && r.Chance(50) {
			*part = ""
			return
		}
		*part = list[r.Intn(len(list))]
	}
	switch r.Intn(8) {
	case 0, 1:
		other(&u.user, urlUsers)
	case 2:
		other(&u.port, urlPorts)
	case 3:
		other(&u.query, urlQueries)
	case 4:
		other(&u.fragment, urlFragments)
	case 5:
		u.host = urlHosts[r.Intn(len(urlHosts))]
	case 6:
		u.scheme = urlSchemes[r.Intn(len(urlSchemes))]
	default:
		if r.Chance(50) && u.path != "" {
			u.path += []string{"/", "a", "/a", "?"}[r.Intn(4)]
		} else {
			other(&u.path, urlPaths)
		}
	}
	return u.text()
}
