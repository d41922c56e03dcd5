package action

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// viewOf renders with links to where the stream came from.
func viewOf(env Environment) present.View {
	v := present.View{Run: env.RunURL(), Key: env.Inputs.CommentKey}
	if env.Server != "" && env.Repository != "" {
		v.Repository = env.Server + "/" + env.Repository
	}
	return v
}

// fileNames are the names under which the formats are kept.
var fileNames = map[string]string{
	"json": "stream.jsonl", "markdown": "report.md", "html": "report.html", "sarif": "report.sarif", "junit": "junit.xml",
}

// writeFiles writes the report into the output directory.
func (j *Job) writeFiles(s *event.Stream, v present.View, out outputs) error {
	if j.Env.Inputs.OutputDirectory == "" {
		return nil
	}
	files, err := WriteFiles(j.Env.Inputs.OutputDirectory, s, v)
	for format, output := range map[string]string{"json": "stream", "html": "report"} {
		if files[format] != "" {
			out[output] = files[format]
		}
	}
	return err
}

// WriteFiles writes the report in every format below a folder, and names the files
// by their formats.
func WriteFiles(dir string, s *event.Stream, v present.View) (map[string]string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("the output directory: %w", err)
	}
	files := map[string]string{}
	for _, format := range report.Formats() {
		name := fileNames[format]
		if name == "" {
			continue
		}
		render := func(w io.Writer) error { return report.Render(format, w, s) }
		if format == "markdown" {
			render = func(w io.Writer) error {
				text, err := v.Markdown(s, 0, false)
				if err != nil {
					return err
				}
				_, err = io.WriteString(w, text)
				return err
			}
		}
		if err := replaceFile(dir, name, render); err != nil {
			return files, fmt.Errorf("writing %s: %w", name, err)
		}
		files[format] = filepath.Join(dir, name)
	}
	return files, nil
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
