package policy

import "strings"

// pattern names packages as go list's patterns do: "..." stands for any text, and
// "x/..." names x, too.
type pattern struct {
	pieces []string // between the "..."; none matches nothing
	itself []string // likewise, of x in "x/..."; none for other patterns
}

// parsePattern reads a pattern. One that begins with ./ is relative to the module.
func parsePattern(text, module string) pattern {
	if text == "." || text == "./" {
		text = module
	} else if rest, ok := strings.CutPrefix(text, "./"); ok {
		if module == "" {
			return pattern{}
		}
		text = module + "/" + rest
	}
	text = strings.TrimSuffix(text, "/")
	p := pattern{pieces: strings.Split(text, "...")}
	if before, ok := strings.CutSuffix(text, "/..."); ok {
		p.itself = strings.Split(before, "...")
	}
	return p
}

func (p pattern) matches(pkg string) bool {
	if len(p.pieces) == 0 {
		return false
	}
	if matchPieces(p.pieces, pkg) {
		return true
	}
	return len(p.itself) > 0 && matchPieces(p.itself, pkg)
}

// matchPieces looks for the pieces in their order; what lies between is any text.
func matchPieces(pieces []string, s string) bool {
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return s == first
	}
	if !strings.HasPrefix(s, first) || !strings.HasSuffix(s[len(first):], last) {
		return false
	}
	s = s[len(first) : len(s)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	return true
}
