package present

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// View renders a stream with links to where it came from.
type View struct {
	Repository string // address of the repository's pages, "" where it is not known
	Run        string // address of the workflow run, "" likewise
	Report     string // address of the full report, "" for none
	Key        string // of the comment; "" is bot.DefaultKey
	// Base is the branch that the pull request goes to, as GitHub says, "" for none.
	// It stands in the check's title: a commit has one check of a name, and another
	// pull request may propose the same commit to another branch.
	Base string
}

// Markdown renders the report in at most limit bytes, 0 for any number. With
// commands it says what to write into a comment to accept a change.
func (v View) Markdown(s *event.Stream, limit int, commands bool) (string, error) {
	var b strings.Builder
	opt := report.MarkdownOptions{Limit: limit, Run: v.Run, Report: v.Report, Commands: commands}
	if v.Key != bot.DefaultKey {
		opt.Key = v.Key
	}
	if v.Repository != "" && len(s.Versions) > 0 {
		base, head := s.Versions[0].Base.Commit, s.Versions[0].Head.Commit
		opt.Commit = v.commit
		opt.Link = func(side, file string, line int) string {
			if side == "base" {
				return v.line(base, file, line)
			}
			return v.line(head, file, line)
		}
	}
	err := report.Markdown(&b, s, opt)
	return b.String(), err
}

// Comment is the report as a comment; the caller says of which pull request and
// run. Where nothing differs and quiet is true, none is made that is not there.
func (v View) Comment(s *event.Stream, quiet bool) (bot.Comment, error) {
	body, err := v.Markdown(s, bot.MaxBody, true)
	return bot.Comment{Key: v.Key, Body: body, Quiet: quiet && silent(s)}, err
}

// maxAnnotations of a check: 50 go into one call, and nobody reads more.
const maxAnnotations = 100

// Check is the report as a check run; the caller says of which commit and run.
func (v View) Check(s *event.Stream, d policy.Decision) (bot.Check, error) {
	text, err := v.Markdown(s, bot.MaxCheckText, false)
	if s.Foreign {
		d = unchecked(d)
	}
	c := bot.Check{Name: v.CheckName(), Conclusion: d.Conclusion, Title: v.title(s), Summary: report.Reasons(d), Text: text, DetailsURL: v.Run}
	for _, a := range Annotations(s) {
		if a.Path != "" && a.Start > 0 && len(c.Annotations) < maxAnnotations {
			a.End = max(a.Start, a.End)
			c.Annotations = append(c.Annotations, a)
		}
	}
	return c, err
}

// unchecked is the decision about a foreign stream. What its run says may be false,
// so that it is never a success.
func unchecked(d policy.Decision) policy.Decision {
	if d.Conclusion == policy.Success {
		d.Conclusion = policy.Neutral
	}
	d.Reasons = append([]string{"Reported by the pull request's own run, which could say anything: nobody has checked it."}, d.Reasons...)
	return d
}

// CheckName is not the name of any usual job: a check run made here cannot be
// told from a job of the same name. It is the same for pull requests of forks,
// where it is never a success.
func (v View) CheckName() string {
	const name = "isodelta: behaviour"
	if v.Key != "" && v.Key != bot.DefaultKey {
		return name + " (" + v.Key + ")"
	}
	return name
}

// silent reports whether a report needs no comment of its own.
func silent(s *event.Stream) bool {
	if len(s.Config.Changes) > 0 {
		return false // whoever reviews them has to see that the settings change
	}
	switch s.Verdict() {
	case event.NoExecutableChange, event.NoDifference, event.IntendedOnly, event.AcceptedOnly:
		return !slices.ContainsFunc(s.Relations, func(r event.Relation) bool { return r.State == event.Violated })
	}
	return false
}

// title is what GitHub shows beside the check's name.
func (v View) title(s *event.Stream) string {
	text := verdict(s)
	if s.Foreign {
		text = "Reported by the pull request's own run: " + strings.ToLower(text[:1]) + text[1:]
	}
	if v.Base != "" {
		text += " (base " + v.Base + ")"
	}
	return text
}

func verdict(s *event.Stream) string {
	switch s.Verdict() {
	case event.Differences:
		if len(Voices(s))+brokenRelations(s) == 0 {
			return "Only small behaviour changes"
		}
		return differences(len(Voices(s)), brokenRelations(s))
	case event.NoExecutableChange:
		return "No executable change"
	case event.NoDifference:
		return "No behaviour change found"
	case event.IntendedOnly:
		return "Only intended behaviour changes"
	case event.AcceptedOnly:
		return "Only accepted behaviour changes"
	case event.NothingExplored:
		return "Nothing was explored"
	}
	return "The comparison is not whole"
}

// differences is "2 behaviour changes, 1 broken relation".
func differences(changes, relations int) string {
	count := func(n int, noun string) string {
		if n == 1 {
			return "1 " + noun
		}
		return fmt.Sprintf("%d %ss", n, noun)
	}
	switch {
	case relations == 0:
		return count(changes, "behaviour change")
	case changes == 0:
		return count(relations, "broken relation")
	}
	return count(changes, "behaviour change") + ", " + count(relations, "broken relation")
}

var fullHash = lazyregexp.New(`^[0-9a-f]{40}$`)

func (v View) commit(hash string) string {
	if !fullHash().MatchString(hash) {
		return ""
	}
	return v.Repository + "/commit/" + hash
}

// line is "" for names that are no files of a repository.
func (v View) line(hash, file string, line int) string {
	if !fullHash().MatchString(hash) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	address := v.Repository + "/blob/" + hash
	for part := range strings.SplitSeq(file, "/") {
		address += "/" + url.PathEscape(part)
	}
	if line > 0 {
		address += fmt.Sprintf("#L%d", line)
	}
	return address
}
