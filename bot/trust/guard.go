package trust

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// GitHub is the part of bot.Client that a guard asks.
type GitHub interface {
	File(ctx context.Context, commit, path string, limit int) ([]byte, error)
	Contains(ctx context.Context, branch, commit string) (bool, error)
	Parents(ctx context.Context, commit string) ([]string, error)
}

// Guard checks and judges streams.
type Guard struct {
	GitHub   GitHub
	Settings Settings
	Today    time.Time
}

// Subject is what a stream has to be about, in GitHub's words.
type Subject struct {
	Head string // commit
	// Merges are merges of the head that GitHub itself made, as far as they are
	// known; a stream may be about one of them.
	Merges []string
	// Base is the commit of the base branch, whose rules count, and BaseRef the
	// branch, "" where the base is not that of a pull request.
	Base, BaseRef string
}

// A MismatchError says that a stream is about something else.
type MismatchError struct{ why string }

func (e *MismatchError) Error() string { return e.why }

func mismatch(format string, args ...any) error { return &MismatchError{fmt.Sprintf(format, args...)} }

var hash = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// Check says that a stream is about a subject, and about nothing else.
func (g *Guard) Check(ctx context.Context, s *event.Stream, of Subject) error {
	if len(s.Versions) == 0 {
		return errors.New("the stream does not say what it compares")
	}
	base, head := s.Versions[0].Base.Commit, s.Versions[0].Head.Commit
	for _, v := range s.Versions {
		if v.Head.Worktree || v.Base.Worktree {
			return errors.New("the stream is about a working tree, not about a commit")
		}
		if v.Head.Commit != head || v.Base.Commit != base {
			return errors.New("the stream is about several commits")
		}
	}
	if err := g.checkHead(ctx, head, of); err != nil {
		return err
	}
	if of.BaseRef == "" {
		return nil
	}
	return g.checkBase(ctx, base, of)
}

func (g *Guard) checkHead(ctx context.Context, head string, of Subject) error {
	if head == of.Head {
		return nil
	}
	for _, m := range of.Merges {
		if m != "" && head == m {
			return nil
		}
	}
	if hash().MatchString(head) {
		parents, err := g.GitHub.Parents(ctx, head)
		if err != nil {
			return err
		}
		if len(parents) == 2 && parents[1] == of.Head {
			return nil
		}
	}
	return mismatch("the stream is about commit %.64q, but the pull request's run was about %s", head, of.Head)
}

// checkBase wants a commit of the branch that the pull request goes to. Anybody
// can make a merge commit with whatever first parent, so being one says nothing.
func (g *Guard) checkBase(ctx context.Context, base string, of Subject) error {
	if base == of.Base {
		return nil
	}
	if hash().MatchString(base) {
		on, err := g.GitHub.Contains(ctx, of.BaseRef, base)
		if err != nil {
			return err
		}
		if on {
			return nil
		}
	}
	return mismatch("the stream starts from commit %.64q, which is not on %s, the branch that the pull request goes to", base, of.BaseRef)
}

// Judge puts a stream under the rules of a commit, and says in it what its head
// changes of them. What people wrote in comments is the caller's to add.
func (g *Guard) Judge(ctx context.Context, s *event.Stream, commit string) error {
	head := ""
	if len(s.Versions) > 0 && hash().MatchString(s.Versions[0].Head.Commit) {
		head = s.Versions[0].Head.Commit
	}
	r, err := g.rules(ctx, commit, head)
	if err != nil {
		return err
	}
	disown(s)
	s.Config.FailOn, s.Config.Policy = r.Policy.FailOn, r.Policy.Events()
	s.Config.Changes = r.Changes
	acceptance.Apply(s, r.Accept, g.Today)
	acceptance.Propose(s, r.Proposed, g.Today)
	return nil
}
