package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// Protected are the settings that count where base is trusted and head is not.
// Accept holds the entries that count.
type Protected struct {
	Config
	// Proposed are the entries of accept that only head has and that do not count.
	Proposed []acceptance.Entry
	// Changes are what head's file says otherwise than base's, in the order of
	// the file's keys.
	Changes []event.SettingChange
}

// Protect joins the settings of base and head such that nothing head says makes
// a check greener; see rules for each key. Entries of accept that only head has
// count where acceptHead says so.
func Protect(base, head Config, acceptHead bool) Protected {
	p := Protected{Config: base}
	if base.File != head.File {
		p.change("file", cmp.Or(base.File, "none"), cmp.Or(head.File, "none"), event.CountsBase)
	}
	p.File = cmp.Or(head.File, base.File)
	joins := rules()
	for _, s := range settings() {
		counts := joins[s.path](&p, s, head)
		before, after := s.text(base), s.text(head)
		switch {
		case s.same(base, head):
			continue
		case before == after:
			after += " (edited)"
		}
		p.change(s.path, before, after, counts)
	}
	p.acceptances(base, head, acceptHead)
	return p
}

// Strictest are the settings that take the place of base's where its file cannot
// be read.
func Strictest() Config {
	c := Default()
	c.Sandbox, c.FailOn = sandboxes()[0], policy.Terms()
	return c
}

// A rule puts what counts of one setting into p, which holds base's, and says
// whose that is.
type rule func(p *Protected, s setting, head Config) (counts string)

// rules says for every key of the file what head may do.
func rules() map[string]rule {
	return map[string]rule{
		// The level that restricts more.
		"sandbox": strictestSandbox,
		// The terms of both.
		"fail-on": bothTerms,
		// Base's rules, each with the terms that head adds to it; further rules of
		// head only add terms to the general ones.
		"policy": morePolicy,
		// Base's entries that head keeps, until the earlier of the two days. See
		// Protect for what head adds.
		"accept": onlyBase,

		// They are about head's code and have to fit it, so that base's may not.
		"relations":  onlyHead,
		"categories": onlyHead,

		// What runs, with what, and for how long: a change counts once base has it.
		"packages":      onlyBase,
		"exclude":       onlyBase,
		"tags":          onlyBase,
		"test.flags":    onlyBase,
		"test.env":      onlyBase,
		"test.skip":     onlyBase,
		"budget":        onlyBase,
		"max-variants":  onlyBase,
		"max-sequences": onlyBase,
		"depth":         onlyBase,
		"list":          onlyBase,
		"match":         onlyBase,
		"generated":     onlyBase,
		"automr.method": onlyBase,
		"seed":          onlyBase,
		"calls":         onlyBase,
		"prune":         onlyBase,
	}
}

func onlyBase(*Protected, setting, Config) string { return event.CountsBase }

func onlyHead(p *Protected, s setting, head Config) string {
	switch s.path {
	case "relations":
		p.Relations = head.Relations
	case "categories":
		p.Categories = head.Categories
	}
	return event.CountsHead
}

// sandboxes are the levels, the one that restricts most first.
func sandboxes() []string { return []string{"require", "auto", "off"} }

func strictestSandbox(p *Protected, _ setting, head Config) string {
	if slices.Index(sandboxes(), head.Sandbox) < slices.Index(sandboxes(), p.Sandbox) {
		p.Sandbox = head.Sandbox
		return event.CountsHead
	}
	return event.CountsBase
}

func bothTerms(p *Protected, _ setting, head Config) string {
	base := p.FailOn
	p.FailOn = union(base, head.FailOn)
	return whose(len(p.FailOn) == len(base), len(p.FailOn) == len(head.FailOn))
}

// morePolicy lets head add terms, and rules for packages that base's rules are
// not about. Where head's list does not begin with the packages of base's, in
// their order, which of its rules are about what base's leave out cannot be
// told, and base's list counts.
func morePolicy(p *Protected, _ setting, head Config) string {
	base := p.Policy
	if len(head.Policy) < len(base) {
		return event.CountsBase
	}
	var joined []policy.Rule
	for i, r := range head.Policy {
		floor := p.FailOn // of packages that no rule of base is about
		if i < len(base) {
			if floor = base[i].FailOn; !slices.Equal(r.Packages, base[i].Packages) {
				return event.CountsBase
			}
		}
		joined = append(joined, policy.Rule{Packages: r.Packages, FailOn: union(floor, r.FailOn)})
	}
	p.Policy = joined
	return whose(sameRules(joined, base), sameRules(joined, head.Policy))
}

// union keeps the order, and base's terms before those that head adds.
func union(base, head []string) []string {
	all := slices.Clone(base)
	for _, t := range head {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

func sameRules(a, b []policy.Rule) bool {
	return slices.EqualFunc(a, b, func(a, b policy.Rule) bool {
		return slices.Equal(a.Packages, b.Packages) && slices.Equal(a.FailOn, b.FailOn)
	})
}

func whose(base, head bool) string {
	switch {
	case base:
		return event.CountsBase
	case head:
		return event.CountsHead
	}
	return event.CountsBoth
}

// acceptances divides the entries into those that count and those that head only
// proposes. Who is said to have accepted what head adds is not kept: anybody can
// write a name there.
func (p *Protected) acceptances(base, head Config, acceptHead bool) {
	p.Accept = nil
	for _, e := range head.Accept {
		i := slices.IndexFunc(base.Accept, func(b acceptance.Entry) bool { return b.ID == e.ID })
		if i < 0 {
			e.By, e.From = "", acceptance.FromHead
			if acceptHead {
				p.Accept = append(p.Accept, e)
			} else {
				p.Proposed = append(p.Proposed, e)
			}
			continue
		}
		kept := base.Accept[i]
		kept.Earlier = true
		if !e.Expires.IsZero() && (kept.Expires.IsZero() || e.Expires.Before(kept.Expires)) {
			kept.Expires = e.Expires
		}
		p.Accept = append(p.Accept, kept)
	}
	if i := slices.IndexFunc(p.Changes, func(c event.SettingChange) bool { return c.Key == "accept" }); i >= 0 && acceptHead {
		p.Changes[i].Counts = event.CountsHead
	}
}

func (p *Protected) change(key, base, head, counts string) {
	p.Changes = append(p.Changes, event.SettingChange{Key: key, Base: shortText(base), Head: shortText(head), Counts: counts})
}

// Override says of the changes that an override takes the place of both files.
func (p *Protected) Override(o *Overrides) {
	for i, c := range p.Changes {
		if o.Given(c.Key) {
			p.Changes[i].Counts = event.CountsInput
		}
	}
}

func (s setting) same(a, b Config) bool {
	if s.get != nil {
		return slices.Equal(s.get(a), s.get(b))
	}
	a, b = withoutPlaces(a), withoutPlaces(b)
	switch s.path {
	case "policy":
		return sameRules(a.Policy, b.Policy)
	case "accept":
		return slices.Equal(a.Accept, b.Accept)
	case "relations":
		return len(a.Relations)+len(b.Relations) == 0 || reflect.DeepEqual(a.Relations, b.Relations)
	case "categories":
		return len(a.Categories)+len(b.Categories) == 0 || reflect.DeepEqual(a.Categories, b.Categories)
	}
	panic("no comparison for " + s.path)
}

// text shows a value in a line, as YAML writes it or nearly so.
func (s setting) text(c Config) string {
	var parts []string
	switch s.path {
	case "policy":
		for _, r := range c.Policy {
			parts = append(parts, strings.Join(r.Packages, " ")+": "+bracketed(r.FailOn))
		}
	case "accept":
		for _, e := range c.Accept {
			parts = append(parts, acceptance.Short(e.ID))
		}
	case "relations":
		for _, r := range c.Relations {
			parts = append(parts, r.Function.Value)
		}
	case "categories":
		for _, k := range c.Categories {
			parts = append(parts, k.Function.Value)
		}
	default:
		parts = s.get(c)
		if s.shape != list && s.shape != mapping {
			return strings.Join(parts, ", ")
		}
	}
	return bracketed(parts)
}

func bracketed(list []string) string { return "[" + strings.Join(list, ", ") + "]" }

// shortText bounds what a stream says about a value.
func shortText(s string) string {
	const maxLength = 150 // characters
	if utf8.RuneCountInString(s) > maxLength {
		return fmt.Sprintf("%s… (%d bytes)", string([]rune(s)[:maxLength]), len(s))
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
