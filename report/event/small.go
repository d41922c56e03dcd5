package event

import "github.com/isodelta/isodelta/internal/lazyregexp"

// Small reports whether a difference hardly ever hurts those who call the code: another
// text of an error that both versions give, or of a panic; nil against something empty;
// and values that look the same, of which no part is known that differs, or that were only
// seen more often. One that fails a test is not small.
func (f Finding) Small() bool {
	if f.Rung == Observed && f.Base.Outcome == Pass && f.Head.Outcome != Pass {
		return false
	}
	switch f.Kind {
	case KindErrorText, KindNilEmpty:
		return true
	}
	base, head := timesSeen().ReplaceAllString(f.Base.Value, ""), timesSeen().ReplaceAllString(f.Head.Value, "")
	return base != "" && base == head && f.Base.Outcome == f.Head.Outcome && f.Base.Message == f.Head.Message && len(f.Differs) == 0
}

// timesSeen matches what package diff adds to a value that one version saw more often.
var timesSeen = lazyregexp.New(` \(seen (once|[0-9]+ times)\)$`)
