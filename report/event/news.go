package event

// NoteNews marks what an upgrade of dependencies does otherwise, where all that is known is small: the first
// call that head mends, or else the first error with another text, or else what the dependency shows by itself. Nobody here wrote that, so that what it does at
// all is news, and whoever waits for the mending learns that it has come. It is given the findings of a run in their order, and
// what reports whether one comes of dependencies alone.
func NoteNews(findings []Finding, ofDependencies func(Finding) bool) {
	best := -1
	for i, f := range findings {
		switch {
		case !f.Open() || !f.Representative:
		case !f.Small():
			return
		case f.isNews() && ofDependencies(f) && (best < 0 || f.newsRank() < findings[best].newsRank()):
			best = i
		}
	}
	if best >= 0 {
		findings[best].News = true
	}
}

// isNews reports whether a small finding of an upgrade may be told as its news.
func (f Finding) isNews() bool {
	if f.Rung != Reached || f.Misuse != "" || f.AfterError || f.Random || f.Unrelated || f.Printed {
		return false
	}
	return f.Foreign || f.crashMended() || f.Kind == KindErrorText && isError(f.Base.Value) && isError(f.Head.Value)
}

// newsRank orders small findings of an upgrade: what is mended comes first, what others can call before what only the
// package itself can, and what the dependency shows by itself last.
func (f Finding) newsRank() int {
	rank := 0
	if f.Foreign {
		rank += 4
	}
	if !f.crashMended() {
		rank += 2
	}
	if !f.Exported {
		rank++
	}
	return rank
}
