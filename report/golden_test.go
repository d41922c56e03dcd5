package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/report/event"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// views are the parts of a fixture that are made from its first part, by the
// name of that first part. A fixture with any other part is a failure, and so is
// a file in testdata that no test reads.
func views() map[string][]view {
	terminal := func(opt TerminalOptions) func(t *testing.T, data []byte) string {
		return func(t *testing.T, data []byte) string {
			var b bytes.Buffer
			if err := Terminal(&b, readStream(t, data), opt); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
	}
	return map[string][]view{
		"stream.jsonl": {
			{"terminal.golden", terminal(TerminalOptions{})},
			{"markdown.golden", func(t *testing.T, data []byte) string {
				return renderMarkdown(t, readStream(t, data), MarkdownOptions{})
			}},
		},
		"replay.json": {
			{"replay.golden", func(t *testing.T, data []byte) string {
				var r ReplayResult
				if err := json.Unmarshal(data, &r); err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := Replay(&b, r, TerminalOptions{}); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}},
		},
	}
}

type view struct {
	name   string
	render func(t *testing.T, data []byte) string
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, path := range fixtures(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(archive.Comment))) < 40 {
				t.Error("the fixture does not begin with a sentence on what it guards")
			}
			made := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1]}
			input := archive.Files[0]
			known := views()[input.Name]
			if known == nil {
				t.Fatalf("no test knows a fixture whose first part is %q", input.Name)
			}
			for _, v := range known {
				made.Files = append(made.Files, txtar.File{Name: v.name, Data: []byte(v.render(t, input.Data))})
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(made), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(made))); diff != "" {
				t.Errorf("golden parts are out of date (- recorded, + now); look at them and run go test ./report -update:\n%s", diff)
			}
		})
	}
}

// fixtures lists testdata and fails on what no test would read.
func fixtures(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, e := range entries {
		switch {
		case filepath.Ext(e.Name()) == ".txtar":
			paths = append(paths, filepath.Join("testdata", e.Name()))
		case e.Name() == "fuzz" && e.IsDir():
		default:
			t.Errorf("no test reads testdata/%s", e.Name())
		}
	}
	if len(paths) == 0 {
		t.Fatal("no fixture in testdata")
	}
	return paths
}

// fixture reads the stream of one fixture.
func fixture(t *testing.T, name string) *event.Stream {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "stream.jsonl" })
	if i < 0 {
		t.Fatalf("fixture %s holds no stream", name)
	}
	return readStream(t, archive.Files[i].Data)
}

// readStream accepts a stream that is cut off: txtar ends it with a line feed,
// so the last line is damaged rather than truncated.
func readStream(t *testing.T, data []byte) *event.Stream {
	t.Helper()
	s, err := event.ReadStream(bytes.NewReader(data), 0)
	var lineErr *event.LineError
	if err != nil && !(errors.As(err, &lineErr) && lineErr.Line == bytes.Count(data, []byte("\n"))) {
		t.Fatal(err)
	}
	return s
}

func renderMarkdown(t *testing.T, s *event.Stream, opt MarkdownOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, s, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
