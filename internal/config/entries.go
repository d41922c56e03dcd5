package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/spelling"
	"github.com/isodelta/isodelta/report/event"
)

// acceptKeys are those of one entry of accept.
func acceptKeys() []key {
	return []key{
		{name: "id", shape: text, example: `"1f0c2d3e…"`, pattern: "^[0-9a-f]{8,64}$", needed: true,
			doc: "identifier of the difference, as isodelta accept writes it; at least 32 digits, or it does not count",
			set: one(func(c *Config, s string) error {
				lastAccept(c).ID = s
				var wrongID *acceptance.IDError
				if errors.As(acceptance.CheckID(s), &wrongID) {
					return wrong(s, "is %s", wrongID.Problem)
				}
				return nil
			})},
		{name: "reason", shape: text, example: "the old limit was a mistake", needed: true,
			doc: "why the difference is meant, in one line",
			set: one(func(c *Config, s string) error {
				lastAccept(c).Reason = s
				return acceptance.CheckText(s)
			})},
		{name: "by", shape: text, example: "a name",
			doc: "who accepted it",
			set: one(func(c *Config, s string) error {
				lastAccept(c).By = s
				return acceptance.CheckText(s)
			})},
		{name: "expires", shape: text, example: "2027-01-31", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
			doc: "last day on which it counts; without it there is no end",
			set: one(func(c *Config, s string) (err error) {
				lastAccept(c).Expires, err = day(s)
				return err
			})},
	}
}

// policyKeys are those of one entry of policy.
func policyKeys() []key {
	return []key{
		{name: "packages", shape: list, example: "./internal/...", needed: true,
			doc: "packages that the rule is about, as patterns for go list",
			set: texts(func(c *Config) *[]string { return &lastRule(c).Packages }, packagePattern)},
		{name: "fail-on", shape: list, example: "observed", pattern: policy.TermPattern, needed: true,
			doc: "what makes the exit status 1 for these packages; [] for nothing",
			set: texts(func(c *Config) *[]string { return &lastRule(c).FailOn }, failOnTerm)},
	}
}

// lastAccept is the entry that is being read; where there is none, as when a
// single value is tried, it is one that nobody looks at.
func lastAccept(c *Config) *acceptance.Entry {
	if len(c.Accept) == 0 {
		return &acceptance.Entry{}
	}
	return &c.Accept[len(c.Accept)-1]
}

func lastRule(c *Config) *policy.Rule {
	if len(c.Policy) == 0 {
		return &policy.Rule{}
	}
	return &c.Policy[len(c.Policy)-1]
}

func endAccept(c *Config) error {
	last := lastAccept(c)
	if last.ID != "" && slices.ContainsFunc(c.Accept[:len(c.Accept)-1], func(e acceptance.Entry) bool { return e.ID == last.ID }) {
		return errors.New("this identifier is accepted twice; keep one of the entries")
	}
	return nil
}

func endPolicy(c *Config) error {
	if last := lastRule(c); last.Packages != nil && len(last.Packages) == 0 {
		return errors.New("a rule for no packages does nothing; name some")
	}
	patterns := 0
	for _, r := range c.Policy {
		patterns += max(len(r.Packages), 1)
	}
	if patterns > event.MaxPatterns { // the rest would be lost in the stream
		return fmt.Errorf("all rules together name more than %d patterns of packages; name folders, as ./internal/... does", event.MaxPatterns)
	}
	return nil
}

func day(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}, wrong(s, "is no day; write for example 2027-01-31")
	}
	return t, nil
}

func failOnTerm(s string) error {
	err := policy.CheckTerm(s)
	if err == nil {
		return nil
	}
	if strings.HasPrefix(s, "adequacy-drop=") {
		return wrong(s, "is %v", err)
	}
	known := append(policy.Terms(), "adequacy-drop=1.5")
	return wrong(s, "is no value of fail-on; use %s%s", oneOf(known), spelling.DidYouMean(s, known))
}
