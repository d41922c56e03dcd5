package calls

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// isReply reports whether the texts of a literal are answers to clients.
func isReply(l wire.Lit) bool {
	return l.Form == wire.Special && (l.S == wire.SpecialReply || l.S == wire.SpecialReplies)
}

// simplerReplies are answers that can stand for one: they stay what a server can have sent.
func simplerReplies(text string) []string {
	const usual = "HTTP/1.1 200 OK"
	head, body, ok := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !ok || !strings.HasPrefix(lines[0], "HTTP/") {
		if text == "EOF" {
			return nil
		}
		return []string{"EOF"}
	}
	var out []string
	add := func(lines []string, body string) {
		if s := strings.Join(lines, "\n") + "\n\n" + body; s != text {
			out = append(out, s)
		}
	}
	add([]string{usual}, "")
	add(lines[:1], "")
	add(lines[:1], body)
	add(lines, "")
	for i := 1; i < len(lines); i++ {
		add(slices.Delete(slices.Clone(lines), i, i+1), body)
	}
	add(slices.Concat([]string{usual}, lines[1:]), body)
	for i := 1; i < len(lines); i++ {
		name, value, _ := strings.Cut(lines[i], ": ")
		for _, v := range texts(value) {
			if v != "" && !strings.ContainsAny(v, "\n\r") {
				c := slices.Clone(lines)
				c[i] = name + ": " + v
				add(c, body)
			}
		}
	}
	for _, s := range texts(body) {
		add(lines, s)
	}
	return out
}
