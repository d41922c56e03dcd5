package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/internal/pattern"
	"github.com/isodelta/isodelta/report/event"
)

// Small is the term for small differences, see event.Finding.Small, whatever their rung.
const Small = "small"

// Broken is the term for relations; the rungs' names are terms, too.
const Broken = string(event.Broken)

// adequacyDrop begins the term for adequacy; the points follow.
const adequacyDrop = "adequacy-drop="

// Policy says what makes a comparison fail.
type Policy struct {
	FailOn []string // terms
	Rules  []Rule   // for some packages; the first that fits counts
}

// Rule is what makes a comparison fail in some packages.
type Rule struct {
	Packages []string // patterns as for go list
	FailOn   []string // terms; none for nothing
}

// Of is the policy that a stream carries.
func Of(c event.Config) Policy {
	p := Policy{FailOn: c.FailOn}
	for _, r := range c.Policy {
		p.Rules = append(p.Rules, Rule(r))
	}
	return p
}

// Events is the policy as a stream carries it.
func (p Policy) Events() []event.PolicyRule {
	var rules []event.PolicyRule
	for _, r := range p.Rules {
		rules = append(rules, event.PolicyRule{Packages: r.Packages, FailOn: slices.Concat([]string{}, r.FailOn)})
	}
	return rules
}

// Terms lists the terms without a number.
func Terms() []string {
	return []string{string(event.Observed), string(event.Reached), string(event.Forced), Small, Broken}
}

// TermPattern is a regular expression for all terms.
const TermPattern = `^(observed|reached|forced|small|broken|adequacy-drop=[0-9]+(\.[0-9]+)?)$`

var term = lazyregexp.New(TermPattern)

// CheckTerm says what is wrong with a term, as the end of "x is".
func CheckTerm(s string) error {
	if points, ok := strings.CutPrefix(s, adequacyDrop); ok {
		n, err := strconv.ParseFloat(points, 64)
		if err != nil || !term().MatchString(s) || math.IsInf(n, 0) || n <= 0 || n > 100 {
			return fmt.Errorf("no drop; write the points, above 0 and up to 100, for example %s1.5", adequacyDrop)
		}
		return nil
	}
	if !slices.Contains(Terms(), s) {
		return errors.New("no term of a policy")
	}
	return nil
}

// in returns what says which terms count in a package of a module. It remembers what it
// was asked, and is not for several goroutines.
func (p Policy) in(module string) func(pkg string) []string {
	type rule struct {
		patterns []pattern.Pattern
		failOn   []string
	}
	var rules []rule
	for _, r := range p.Rules {
		var list []pattern.Pattern
		for _, text := range r.Packages {
			list = append(list, pattern.Parse(text, module))
		}
		rules = append(rules, rule{list, r.FailOn})
	}
	known := map[string][]string{}
	return func(pkg string) []string {
		terms, ok := known[pkg]
		if ok {
			return terms
		}
		terms = p.FailOn
		for _, r := range rules {
			if slices.ContainsFunc(r.patterns, func(x pattern.Pattern) bool { return x.Match(pkg) }) {
				terms = r.failOn
				break
			}
		}
		known[pkg] = terms
		return terms
	}
}

// For returns the terms that count in a package of a module.
func (p Policy) For(pkg, module string) []string { return p.in(module)(pkg) }

// Findings returns a function that reports whether the policy fails on a finding of a stream.
func (p Policy) Findings(s *event.Stream) func(event.Finding) bool {
	terms := p.in(moduleOf(s))
	return func(f event.Finding) bool {
		return f.Open() && slices.Contains(terms(f.Package), termOf(f))
	}
}

// termOf is the term that a finding comes under. The news of an upgrade is a small difference that is told for want of others.
func termOf(f event.Finding) string {
	if f.Small() || f.News {
		return Small
	}
	return string(f.Strength())
}

// Relations returns what reports whether the policy fails on a relation of a stream:
// on broken ones that nobody has taken on, and on declared ones that hold on
// neither version. It holds for the stream as it is now.
func (p Policy) Relations(s *event.Stream) func(event.Relation) bool {
	relating, own := s.Relating(), moduleOf(s)
	modules := map[string]func(string) []string{}
	return func(r event.Relation) bool {
		if !relating.Open(r) && r.State != event.Violated {
			return false
		}
		m := cmp.Or(r.Module, own)
		if modules[m] == nil {
			modules[m] = p.in(m)
		}
		return slices.Contains(modules[m](r.Package), Broken)
	}
}
