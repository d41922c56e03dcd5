package report

import "github.com/isodelta/isodelta/report/event"

// What the hostile tests of other packages' texts need, which import this one.

func Harmless(markdown string) string { return harmless(markdown) }

func Visible(s string) string { return visible(s) }

func HostileStream(text string) *event.Stream { return hostileStream(text) }

var (
	Drawn     = drawn
	NastyText = nastyText
	Fixture   = fixture
)
