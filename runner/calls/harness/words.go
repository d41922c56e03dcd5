//go:build go1.21

package harness

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Lists of texts are often the words of a command line, so some are made as such: names
// that the code knows become flags, with a value or without.

// asWords makes some texts of a list flags.
func (b *builder) asWords(list []wire.Lit) []wire.Lit {
	r := b.g.r
	if len(list) == 0 {
		list = []wire.Lit{{Form: wire.Text, S: b.g.plain.known(r)}}
	}
	for i := range list {
		if list[i].Form != wire.Text || !r.Chance(60) {
			continue
		}
		name := list[i].S
		if !isFlagName(name) {
			if name = b.g.plain.known(r); !isFlagName(name) {
				continue
			}
		}
		switch r.Intn(4) {
		case 0:
			name = "-" + name
		case 1:
			name = "--" + name
		case 2:
			name = "-" + name + "=" + b.text(spot{-1, -1})
		default:
			name = "--" + name + "=" + b.text(spot{-1, -1})
		}
		list[i].S = name
	}
	return list
}

func isFlagName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "-_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
