//go:build go1.21

package harness

import "strings"

// Names that lead from one thing to another are in many languages: the keys of settings, the paths of files, of a
// request and within a document, qualified names. What code does with them hangs on which is the beginning of which: a
// key of what is no table, a folder that is a file.

// joints are the tokens that stand between two steps.
const joints = "./:"

// trail is a way of two steps or more, or a single name, in tokens of a text: steps stand at every second place.
type trail struct{ from, to int }

// trails returns the names in a text, with the steps that follow them.
func trails(tokens []string) []trail {
	isName := func(t string) bool { c := class(t); return c == "a" || c == "0" }
	var out []trail
	for i := 0; i < len(tokens); i++ {
		if !isName(tokens[i]) {
			continue
		}
		end := i + 1
		for end+1 < len(tokens) && len(tokens[end]) == 1 && strings.Contains(joints, tokens[end]) && isName(tokens[end+1]) {
			end += 2
		}
		out = append(out, trail{i, end})
		i = end - 1
	}
	return out
}

// stepwise changes one of the ways in a text that has one: it loses its last step or its first, goes one step further,
// or leads where another one leads, or one step further than that.
func (p *Plain) stepwise(r *Rand, s, other string) string {
	tokens := tokenize(s)
	list := trails(tokens)
	var ways []trail
	for _, t := range list {
		if t.to-t.from > 1 {
			ways = append(ways, t)
		}
	}
	if len(ways) == 0 {
		return p.tokenwise(r, s, other)
	}
	way := ways[r.Intn(len(ways))]
	steps, joint := tokens[way.from:way.to], tokens[way.from+1]
	step := func() string { return tokens[list[r.Intn(len(list))].from] }
	text := func(t trail) string { return strings.Join(tokens[t.from:t.to], "") }
	at, now := way, ""
	switch r.Intn(5) {
	case 0:
		now = strings.Join(steps[:len(steps)-2], "")
	case 1:
		now = strings.Join(steps[2:], "")
	case 2:
		now = strings.Join(steps, "") + joint + step()
	case 3:
		at = list[r.Intn(len(list))]
		now = text(way)
	default:
		at = list[r.Intn(len(list))]
		now = text(way) + joint + step()
	}
	return strings.Join(tokens[:at.from], "") + now + strings.Join(tokens[at.to:], "")
}
