package event

import (
	"cmp"
	"go/token"
	"strings"
)

// A call is told once, even if several things differ in it. Where base gives a value and head
// an error, the zero value that comes with the error is a consequence of it: the
// finding about the error leads, and the one about the value follows.

// sameCall is the same for findings of one call that people have said the same about,
// and which ended in the same way.
type sameCall struct {
	pkg, function, what string
	suite, test, entry  string // of a call in place
	mutation            int
	intended, open      bool
	known               bool // which changed functions ran
	base, head          Outcome
}

// callOf is false for what is no call, or what a call left behind that is looked at
// afterwards: that is an expression of its own.
func callOf(f Finding) (sameCall, bool) {
	if f.Rung != Reached || f.Input == "" && f.Entry == "" || partOf(f.Component) == "" {
		return sameCall{}, false
	}
	what := cmp.Or(f.Program, f.Input) // what is printed may depend on what is looked at
	return sameCall{f.Package, f.Function, what, f.Suite, f.Test, f.Entry, f.Mutation, f.Intended, f.Open(), len(f.Changed) > 0, f.Base.Outcome, f.Head.Outcome}, true
}

// Part of a call that a finding's component belongs to: ComponentResult for all that it
// returns, errors included, ComponentReceiver or ComponentArgument. It is "" where the
// component is no part of the call itself.
func (f Finding) Part() string { return partOf(f.Component) }

func partOf(component string) string {
	switch word, _, _ := strings.Cut(component, " "); word {
	case ComponentResult, ComponentError:
		return ComponentResult
	case ComponentReceiver, ComponentArgument:
		return word
	}
	return ""
}

// Leaders returns for each of the findings the place of the one that tells its call,
// which is its own place for most: what errs on head leads, then what erred on base, then
// what is worse, what is returned, and what CompareFindings puts first. What comes to an error and what goes from
// one never lead each other.
func Leaders(findings []Finding) []int {
	worst, better := map[sameCall]int{}, map[sameCall]int{}
	first := func(of map[sameCall]int, c sameCall, i int) {
		if k, seen := of[c]; !seen || compareLeaders(findings[i], findings[k]) < 0 {
			of[c] = i
		}
	}
	for i, f := range findings {
		if c, ok := callOf(f); ok {
			first(worst, c, i)
			if f.direction() == improves {
				first(better, c, i)
			}
		}
	}
	leaders := make([]int, len(findings))
	for i, f := range findings {
		leaders[i] = i
		if c, ok := callOf(f); ok {
			leaders[i] = worst[c]
			if f.direction() == improves {
				leaders[i] = better[c]
			}
		}
	}
	return leaders
}

func compareLeaders(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.direction(), b.direction()), compareGravity(a, b), cmp.Compare(a.partRank(), b.partRank()), CompareFindings(a, b))
}

// partRank puts what a call returns before what it leaves behind.
func (f Finding) partRank() int {
	if f.Part() == ComponentResult {
		return 0
	}
	return 1
}

// Improves reports whether base was the one that failed, and head does not: often a fix.
func (f Finding) Improves() bool { return f.direction() == improves }

// direction tells a failure that appears from one that goes away.
type direction int

const (
	worsens  direction = iota // head fails, and base does not
	improves                  // the other way round
	neither
)

func (f Finding) direction() direction {
	switch base, head := ends(f.Base.Outcome), ends(f.Head.Outcome); {
	case f.Kind == KindValueToError, f.Kind == KindPanic && head && !base:
		return worsens
	case f.Kind == KindErrorToValue, f.Kind == KindPanic && base && !head:
		return improves
	}
	return neither
}

// ToldBack reports whether what a call gives to a function of ours differs: the code at the end is a variable of texts that
// the function adds to.
func (f Finding) ToldBack() bool {
	code := f.Input
	name := code[strings.LastIndexByte(code, '\n')+1:]
	return token.IsIdentifier(name) && strings.Contains(code, "var "+name+" []string\n") && strings.Contains(code, name+" = append("+name+", fmt.")
}
