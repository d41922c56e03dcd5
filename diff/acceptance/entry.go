package acceptance

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// Where an entry comes from.
const (
	FromConfig  = "config"  // .isodelta.yml
	FromComment = "comment" // on the pull request
	FromHead    = "head"    // .isodelta.yml of head, and not of base
)

// Entry is one acceptance.
type Entry struct {
	ID      string    // of a cause, its hash or the first digits of that
	Reason  string    // one line
	By      string    // who, "" where it is not known
	Expires time.Time // the last day on which it counts, as midnight UTC; zero for no end
	From    string    // FromConfig or FromComment
	// Earlier says that base has the entry too, so that it may be about an
	// earlier change: it is not called stale.
	Earlier bool
}

// Short is an identifier as people see it.
func Short(id string) string { return id[:min(len(id), shownDigits)] }

// expired reports whether the entry's last day is over.
func (e Entry) expired(now time.Time) bool {
	return !e.Expires.IsZero() && !now.Before(e.Expires.AddDate(0, 0, 1))
}

func (e Entry) event() *event.Acceptance {
	a := &event.Acceptance{Reason: e.Reason, By: e.By, From: e.From}
	if !e.Expires.IsZero() {
		a.Expires = e.Expires.Format(time.DateOnly)
	}
	return a
}

// Digits of an identifier: as reports show it, of a whole hash, and the fewest
// with which an entry counts. Whoever writes two changes finds some with the same
// 64 bits in 2^32 tries, so that one could be accepted and the other merged; with
// 128 bits it takes 2^64.
const (
	shownDigits = 8
	MinDigits   = 32
	allDigits   = 64
)

var identifier = lazyregexp.New(fmt.Sprintf("^[0-9a-f]{%d,%d}$", shownDigits, allDigits))

// CheckID says what is wrong with an identifier.
func CheckID(id string) error {
	if !identifier().MatchString(id) {
		return &IDError{id, fmt.Sprintf("no identifier; wanted %d to %d of the digits 0-9 and a-f", MinDigits, allDigits)}
	}
	return nil
}

// CheckCounts says what is wrong with an identifier that is to count.
func CheckCounts(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	if len(id) < MinDigits {
		return &IDError{id, fmt.Sprintf("too short to count: other code can be made to have the same %d digits, and %d are wanted", len(id), MinDigits)}
	}
	return nil
}

// IDError says what is wrong with an identifier.
type IDError struct{ ID, Problem string }

func (e *IDError) Error() string { return fmt.Sprintf("%.70q is %s", e.ID, e.Problem) }

// maxText bounds reasons and names, in characters.
const maxText = 500

// CheckText says what is wrong with a reason or a name: what is empty, long, or
// has more than one line.
func CheckText(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fmt.Errorf("it is empty; say in a few words why the difference is meant")
	case utf8.RuneCountInString(s) > maxText:
		return fmt.Errorf("it has more than %d characters", maxText)
	case !utf8.ValidString(s):
		return fmt.Errorf("it is no valid UTF-8")
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return fmt.Errorf("it holds the character %U; wanted one line of plain text", r)
		}
	}
	return nil
}

// ParseDate reads a last day: yyyy-mm-dd, or a number of days from today such
// as 90d.
func ParseDate(s string, today time.Time) (time.Time, error) {
	var days int
	if n, err := fmt.Sscanf(s, "%dd", &days); err == nil && n == 1 && s == fmt.Sprintf("%dd", days) && days >= 1 && days <= 36500 {
		return midnight(today).AddDate(0, 0, days), nil
	}
	return parseDay(s)
}

func parseDay(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%.60q is no day; write for example 2027-01-31, or 90d for 90 days from today", s)
	}
	return t, nil
}

// midnight is the day of a moment, in the time zone of that moment.
func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
