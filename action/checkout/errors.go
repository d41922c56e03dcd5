package checkout

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

// UnreachableError says that a commit is neither in the checkout nor could be
// fetched.
type UnreachableError struct {
	What string // what was wanted, for example the merge base of two commits
	Err  error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s is not in the checkout and could not be fetched: %v. %s", e.What, e.Err, e.advice())
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// advice says what to write into the workflow.
func (e *UnreachableError) advice() string {
	const depth = "Give the step actions/checkout `fetch-depth: 0`"
	switch {
	case denied(e.Err):
		return depth + ", or give the job `permissions: contents: read` and this step a `github-token` that may read the repository"
	case errors.Is(e.Err, errNoRemote):
		return depth
	}
	return depth + ". If that does not help, the commit is on no branch of the repository any more (a force push or a deleted branch)"
}

func unreachable(what string, err error) error { return &UnreachableError{what, err} }

var (
	errNoRemote = errors.New("the checkout has no remote that can be asked")
	errByHash   = errors.New("the server gives no commit by its hash")
)

// refused reports whether another way of asking may help.
func refused(err error) bool {
	if err == nil || denied(err) || errors.Is(err, errNoRemote) {
		return false
	}
	var said *serverError
	return errors.Is(err, errByHash) || errors.As(err, &said)
}

func denied(err error) bool {
	return errors.Is(err, transport.ErrAuthenticationRequired) || errors.Is(err, transport.ErrAuthorizationFailed) ||
		errors.Is(err, transport.ErrRepositoryNotFound)
}

// serverError is what the other side answered instead of objects.
type serverError struct{ err error }

func (e *serverError) Error() string { return "the server answered: " + oneLine(e.err.Error()) }
func (e *serverError) Unwrap() error { return e.err }

// oneLine makes a server's words fit for a message: nobody knows what answers
// at an address.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
