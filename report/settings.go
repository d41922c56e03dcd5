package report

import (
	"cmp"

	"github.com/isodelta/isodelta/report/event"
)

// settingLength bounds a value of the settings, in characters.
const settingLength = 80

// settingsChanged says what head changes of the settings, key by key, and what
// counts; nil for nothing. Names and values are head's own words.
func settingsChanged(c event.Config) phrase {
	if len(c.Changes) == 0 {
		return nil
	}
	p := say(span{"Head changes", strong}, " ", named(shorten(cmp.Or(c.SettingsFile, ".isodelta.yml"), siteLength)), ": ")
	for i, change := range c.Changes {
		if i > 0 {
			p = say(p, "; ")
		}
		if i == listed {
			return say(p, number(len(c.Changes)-listed)+" more")
		}
		p = say(p, named(shorten(change.Key, nameLength)), " ", settingValue(change.Base), " → ", settingValue(change.Head), " ("+counts(change.Counts)+")")
	}
	return p
}

func settingValue(s string) phrase {
	if s == "" {
		return words("(empty)")
	}
	return named(shorten(s, settingLength))
}

// counts says whose setting a comparison was made with.
func counts(whose string) string {
	switch whose {
	case event.CountsHead:
		return "head's counts"
	case event.CountsBoth:
		return "both count"
	case event.CountsInput:
		return "neither counts: the workflow or the command line sets it"
	}
	return "base's counts"
}
