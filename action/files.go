package action

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// view renders a stream with links to where it came from.
type view struct {
	repository string // address of the repository's pages, "" where it is not known
	base, head string // full hashes
	run        string
	key        string
}

func viewOf(env Environment, r result) view {
	v := view{run: env.RunURL()}
	if env.Server != "" && env.Repository != "" {
		v.repository = env.Server + "/" + env.Repository
	}
	if len(r.stream.Versions) > 0 {
		v.base, v.head = r.stream.Versions[0].Base.Commit, r.stream.Versions[0].Head.Commit
	}
	if k := env.Inputs.CommentKey; k != DefaultCommentKey {
		v.key = k
	}
	return v
}

// markdown renders the report in at most limit bytes, 0 for any number.
func (v view) markdown(s *event.Stream, limit int, commands bool) (string, error) {
	var b strings.Builder
	opt := report.MarkdownOptions{Limit: limit, Run: v.run, Commands: commands, Key: v.key}
	if v.repository != "" {
		opt.Link, opt.Commit = v.link, v.commit
	}
	err := report.Markdown(&b, s, opt)
	return b.String(), err
}

func (v view) commit(hash string) string {
	if !fullHash.MatchString(hash) {
		return ""
	}
	return v.repository + "/commit/" + hash
}

func (v view) link(side, file string, line int) string {
	hash := v.head
	if side == "base" {
		hash = v.base
	}
	if !fullHash.MatchString(hash) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	address := v.repository + "/blob/" + hash
	for part := range strings.SplitSeq(file, "/") {
		address += "/" + url.PathEscape(part)
	}
	if line > 0 {
		address += fmt.Sprintf("#L%d", line)
	}
	return address
}

func (v view) terminal(w io.Writer, s *event.Stream) error {
	return report.Terminal(w, s, report.TerminalOptions{Width: 120})
}

// commentBody is the report for a comment, which has room for so many
// characters.
func (v view) commentBody(s *event.Stream) (string, error) {
	return v.markdown(s, bot.MaxBody, true)
}

// fileNames are the names under which the formats are kept.
var fileNames = map[string]string{
	"json": "stream.jsonl", "markdown": "report.md", "html": "report.html", "sarif": "report.sarif", "junit": "junit.xml",
}

// writeFiles writes the report in every format into the output directory.
func (j *Job) writeFiles(s *event.Stream, v view, out outputs) error {
	dir := j.Env.Inputs.OutputDirectory
	if dir == "" {
		return nil
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("the output directory: %w", err)
	}
	for _, format := range report.Formats() {
		name := fileNames[format]
		if name == "" {
			continue
		}
		render := func(w io.Writer) error { return report.Render(format, w, s) }
		if format == "markdown" {
			render = func(w io.Writer) error {
				text, err := v.markdown(s, 0, false)
				if err != nil {
					return err
				}
				_, err = io.WriteString(w, text)
				return err
			}
		}
		if err := replaceFile(dir, name, render); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		switch format {
		case "json":
			out["stream"] = filepath.Join(dir, name)
		case "html":
			out["report"] = filepath.Join(dir, name)
		case "markdown":
			if !slices.Contains(report.Formats(), "html") {
				out["report"] = filepath.Join(dir, name)
			}
		}
	}
	return nil
}

// replaceFile writes beside the file and renames, so that an interrupted run
// leaves no half of one.
func replaceFile(dir, name string, render func(io.Writer) error) error {
	t, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	err = render(t)
	if err == nil {
		err = t.Chmod(0o644)
	}
	if closeErr := t.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), filepath.Join(dir, name))
}

// failureText is the report of a run without a comparison, in Markdown. The
// error may quote what a compiler, a server or an event file said.
func failureText(err error, run string) string {
	var b strings.Builder
	b.WriteString("### isodelta: no comparison could be made\n\n")
	lines := strings.Split(strings.TrimRight(cut(err.Error(), 20000), "\n"), "\n")
	fence := "```"
	for _, l := range lines {
		for strings.Contains(l, fence) {
			fence += "`"
		}
	}
	b.WriteString(fence + "text\n")
	for _, l := range lines {
		b.WriteString(plain(l) + "\n")
	}
	b.WriteString(fence + "\n")
	if run != "" {
		fmt.Fprintf(&b, "\nNothing is known about the change's behaviour. [The run's log](%s) has more.\n", run)
	}
	return b.String()
}
