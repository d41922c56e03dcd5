package report

import (
	"slices"
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
	declared, asks, given := false, false, ""
	for _, s := range statements(f.Input) {
		declared = declared || s.declares && s.text == "var "+name+" []string"
		if !strings.Contains(s.value, name+" = append("+name+",") {
			continue
		}
		call, ok := parseCall(s.value)
		if !ok || given != "" || int(call.Lparen) > len(s.value) {
			return nil // several functions tell of their calls
		}
		given = s.value[:call.Lparen-1]
		_, told, _ := strings.Cut(s.value, name+" = append("+name+", fmt.Sprint(")
		asked, _, _ := strings.Cut(told, ")")
		asks = strings.Contains(asked, "(") // it tells what a call gives it
	}
	if !declared || given == "" {
		return nil
	}
	x, y := sentenceValues(f.Base.Value, f.Head.Value)
	return say("the function given to ", quoted(shorten(given, siteLength)), times(f.Base, x, asks), " on base,", times(f.Head, y, asks), " on head", after)
}

// asked is the sentence on a list of what clients ask servers, which the input answers for: that list is what
// differs. It is nil for anything else.
func asked(f event.Finding) phrase {
	steps, name := statements(f.Input), variable(f)
	answers := func(s statement) bool { return strings.Contains(s.value, "replying(&"+name+",") }
	if component(f) != aboutVariable || name == "" || len(steps) < 2 || breaks(f.Base) || breaks(f.Head) || !slices.ContainsFunc(steps, answers) {
		return nil
	}
	last := len(steps) - 2 // behind it the list is looked at
	x, y := sentenceValues(f.Base.Value, f.Head.Value)
	return say(quoted(shortArguments(steps[last].value, inputLength)), " asks servers ", questions(f.Base, x), " on base, ", questions(f.Head, y), " on head", stepsBefore(steps[:last]))
}

// questions are what was asked, by their list.
func questions(r event.Result, text string) phrase {
	if r.Value == "[]string(nil)" || r.Value == "[]" {
		return words("nothing")
	}
	return quoted(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
}

// times says how the function was called, by the list of its calls, or what it got when it asked.
func times(r event.Result, text string, asks bool) phrase {
	switch r.Value {
	case "[]string(nil)", "[]":
		return words(" is never called")
	case `["called"]`: // what it was given is not told
		return words(" is called")
	}
	verb := " is called with "
	if asks {
		verb = " gets "
	}
	return say(verb, quoted(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")))
}
