package report

import (
	"strconv"
	"strings"
)

// A phrase is a line of text whose parts say what they are, so that each
// renderer can show them in its own way.
type phrase []span

type span struct {
	text  string
	style style
}

type style int

const (
	plain  style = iota // our own words
	code                // text from the tested repository: hostile, shown as code
	name                // the same, where no quotes are needed to tell it from our words
	prose               // a sentence that may quote such text: hostile, shown as words
	strong              // our own words
	faint               // our own words
)

func words(s string) phrase  { return phrase{{s, plain}} }
func quoted(s string) phrase { return phrase{{s, code}} }
func named(s string) phrase  { return phrase{{s, name}} }

// say joins strings (our own words) and phrases.
func say(parts ...any) phrase {
	var p phrase
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			p = append(p, span{part, plain})
		case span:
			p = append(p, part)
		case phrase:
			p = append(p, part...)
		}
	}
	return p
}

// separated puts our own words between phrases; nil for none.
func separated(list []phrase, between string) phrase {
	var p phrase
	for i, item := range list {
		if i > 0 {
			p = append(p, span{between, plain})
		}
		p = append(p, item...)
	}
	return p
}

// commas joins phrases as in "a, b and c".
func commas(list []phrase) phrase {
	var p phrase
	for i, item := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			p = append(p, span{" and ", plain})
		default:
			p = append(p, span{", ", plain})
		}
		p = append(p, item...)
	}
	return p
}

// names lists at most limit names as code, "a, b and 3 more".
func names(list []string, limit int) phrase {
	var items []phrase
	for i, n := range list {
		if i == limit {
			items = append(items, words(number(len(list)-limit)+" more"))
			break
		}
		items = append(items, named(shorten(n, siteLength)))
	}
	return commas(items)
}

// number writes n with commas between thousands.
func number(n int) string {
	s := strconv.Itoa(n)
	digits := strings.TrimPrefix(s, "-")
	sign := s[:len(s)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// count writes a number with its noun, "1 branch", "2 branches".
func count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return number(n) + " " + noun
}

func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"):
		return noun + "es"
	case strings.HasSuffix(noun, "y"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// seconds writes a duration as people say it.
func seconds(s float64) string {
	switch {
	case s < 10:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case s < 120:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	}
	m := int(s/60 + 0.5)
	if m < 120 {
		return number(m) + " min"
	}
	return number(m/60) + " h " + strconv.Itoa(m%60) + " min"
}
