package report

import "github.com/isodelta/isodelta/report/event"

// signed tells the signatures of called functions that the versions do not have alike; nil
// for none.
func signed(f event.Finding) phrase {
	var p phrase
	for i, s := range f.Signatures {
		if i > 0 {
			p = say(p, "; ")
		}
		p = say(p, named(shorten(s.Function, siteLength)), " is ", quoted(shorten(s.Base, siteLength)), " on base, ", quoted(shorten(s.Head, siteLength)), " on head")
	}
	return p
}
