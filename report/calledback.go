package report

import (
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// calledBack is the sentence on a list of the calls of a function that the input gives to another one: that
// list is what differs. It is nil for anything else.
func calledBack(f event.Finding, after phrase) phrase {
	name := variable(f)
	if component(f) != aboutVariable || breaks(f.Base) || breaks(f.Head) {
		return nil
	}
	steps := statements(f.Input)
	if !steps[0].declares || steps[0].text != "var "+name+" []string" {
		return nil
	}
	for _, s := range steps[1:] {
		call, ok := parseCall(s.value)
		if !ok || !strings.Contains(s.value, name+" = append("+name+",") || int(call.Lparen) > len(s.value) {
			continue
		}
		x, y := sentenceValues(f.Base.Value, f.Head.Value)
		return say("the function given to ", quoted(shorten(s.value[:call.Lparen-1], siteLength)), times(f.Base, x), " on base,", times(f.Head, y), " on head", after)
	}
	return nil
}

// times says how the function was called, by the list of its calls.
func times(r event.Result, text string) phrase {
	switch r.Value {
	case "[]string(nil)", "[]":
		return words(" is never called")
	}
	return say(" is called with ", quoted(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")))
}
