package runner

import (
	"context"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/blame"
	"github.com/isodelta/isodelta/runner/paste"
	"github.com/isodelta/isodelta/runner/version"
)

// blaming is what finds the edits that are to blame.
func (c *comparison) blaming() *blame.Stage {
	if c.blames == nil {
		c.blames = blame.New(c.env, c.builder, c.matching.ChangedItems(), c.suites.Changes)
	}
	return c.blames
}

// undo makes the calls of findings again without each edit of the change.
func (c *comparison) undo(ctx context.Context) error {
	if c.calls == nil || c.ahead.empty() {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, c.env.Until(c.env.Plan.Undoing(c.env.Now())))
	defer cancel()
	c.ahead.wait(limited)
	c.env.Progress("reach", "looking for the edits to blame", 0, 0)
	c.blaming().Edited = c.editedTests()
	for _, u := range c.ahead.undoing {
		if err := c.calls.Undo(limited, u.Package(), u); err != nil && limited.Err() == nil {
			return err
		}
	}
	c.takeEdits()
	return ctx.Err()
}

// editedTests are the tests that the change edits or adds and that fail on base alone.
func (c *comparison) editedTests() []blame.Edited {
	var list []blame.Edited
	for _, f := range c.rest {
		if f.Intended && f.Suite == version.Head.String() && f.Test != "" && f.Base.Outcome != event.Pass && f.Head.Outcome == event.Pass {
			list = append(list, blame.Edited{Package: f.Package, Name: f.Test})
		}
	}
	return list
}

// takeEdits puts the edits to blame into the findings.
func (c *comparison) takeEdits() {
	edits := c.blaming().Edits()
	for i, f := range c.calls.Findings {
		c.calls.Findings[i].Blamed = edits[f.ID]
	}
}

// blame looks for the edits without which the tests to paste pass on head, where no call told.
func (c *comparison) blame(ctx context.Context) error {
	if c.calls == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, c.env.Until(c.env.Plan.Blaming()))
	defer cancel()
	var tests []blame.Test
	for _, f := range c.calls.Findings {
		i := slices.IndexFunc(c.shown, func(t paste.Shown) bool { return t.ID == f.ID })
		if i >= 0 && !c.shown[i].Waits {
			t := c.shown[i]
			tests = append(tests, blame.Test{ID: t.ID, Package: t.Package, Name: t.Name, File: t.File, Text: t.Text, Changed: f.Changed})
		}
	}
	if len(tests) == 0 {
		return nil
	}
	c.env.Progress("reach", "looking for the edits to blame", 0, 0)
	c.blaming().Edited = c.editedTests()
	err := c.blaming().Run(limited, tests)
	c.takeEdits()
	return err
}
