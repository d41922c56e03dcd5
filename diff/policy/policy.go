package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Broken is the term for relations; the rungs' names are terms, too.
const Broken = "broken"

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
	return []string{string(event.Observed), string(event.Reached), string(event.Forced), Broken}
}

// TermPattern is a regular expression for all terms.
const TermPattern = `^(observed|reached|forced|broken|adequacy-drop=[0-9]+(\.[0-9]+)?)$`

var term = regexp.MustCompile(TermPattern)

// CheckTerm says what is wrong with a term, as the end of "x is".
func CheckTerm(s string) error {
	if points, ok := strings.CutPrefix(s, adequacyDrop); ok {
		n, err := strconv.ParseFloat(points, 64)
		if err != nil || !term.MatchString(s) || math.IsInf(n, 0) || n <= 0 || n > 100 {
			return fmt.Errorf("no drop; write the points, above 0 and up to 100, for example %s1.5", adequacyDrop)
		}
		return nil
	}
	if !slices.Contains(Terms(), s) {
		return errors.New("no term of a policy")
	}
	return nil
}

// For gives the terms that count in a package of a module.
func (p Policy) For(pkg, module string) []string {
	for _, r := range p.Rules {
		if slices.ContainsFunc(r.Packages, func(pattern string) bool { return Matches(pattern, pkg, module) }) {
			return r.FailOn
		}
	}
	return p.FailOn
}

// Objects says whether the policy fails on a finding of a stream.
func (p Policy) Objects(s *event.Stream, f event.Finding) bool {
	return f.Open() && slices.Contains(p.For(f.Package, moduleOf(s)), string(f.Rung))
}

// Relations gives what says whether the policy fails on a relation of a stream:
// on broken ones that nobody has taken on, and on declared ones that hold on
// neither version. It holds for the stream as it is now.
func (p Policy) Relations(s *event.Stream) func(event.Relation) bool {
	relating, module := s.Relating(), moduleOf(s)
	type place struct{ pkg, module string }
	objects := map[place]bool{}
	for _, r := range s.Relations {
		at := place{r.Package, cmp.Or(r.Module, module)}
		if _, known := objects[at]; !known {
			objects[at] = slices.Contains(p.For(at.pkg, at.module), Broken)
		}
	}
	return func(r event.Relation) bool {
		return (relating.Open(r) || r.State == event.Violated) && objects[place{r.Package, cmp.Or(r.Module, module)}]
	}
}

// Matches says whether a pattern of go list names a package. A pattern that
// begins with ./ is relative to the module.
func Matches(pattern, pkg, module string) bool {
	if pattern == "." || pattern == "./" {
		pattern = module
	} else if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		if module == "" {
			return false
		}
		if rest == "..." {
			return pkg == module || strings.HasPrefix(pkg, module+"/")
		}
		pattern = module + "/" + rest
	}
	pattern = strings.TrimSuffix(pattern, "/")
	expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if before, ok := strings.CutSuffix(expr, `/.*`); ok {
		expr = before + `(/.*)?` // x/... is x, too
	}
	re, err := regexp.Compile(`^` + expr + `$`)
	return err == nil && re.MatchString(pkg)
}
