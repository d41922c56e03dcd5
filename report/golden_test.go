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
	reports := func(read func(testing.TB, []byte) *event.Stream) []view {
		return []view{
			{"terminal.golden", func(t *testing.T, data []byte) string {
				var b bytes.Buffer
				if err := Terminal(&b, read(t, data), TerminalOptions{}); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}},
			{"short.golden", func(t *testing.T, data []byte) string {
				var b bytes.Buffer
				if err := Terminal(&b, read(t, data), TerminalOptions{Short: true, Whole: "isodelta report --verbose"}); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}},
			{"markdown.golden", func(t *testing.T, data []byte) string {
				return renderMarkdown(t, read(t, data), MarkdownOptions{})
			}},
		}
	}
	return map[string][]view{
		streamPart: reports(readStream),
		forgedPart: reports(readForged),
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
			// A copy, since what is appended would else be written over what it is
			// compared with.
			made := &txtar.Archive{Comment: archive.Comment, Files: slices.Clone(archive.Files[:1])}
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

// Names of the part that holds a fixture's stream. A forged one is not valid, and
// renderers have to bear it all the same.
const (
	streamPart = "stream.jsonl"
	forgedPart = "forged.jsonl"
)

// fixture reads the stream of one fixture.
func fixture(t testing.TB, name string) *event.Stream {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		switch f.Name {
		case streamPart:
			return readStream(t, f.Data)
		case forgedPart:
			return readForged(t, f.Data)
		}
	}
	t.Fatalf("fixture %s holds no stream", name)
	return nil
}

// readForged takes a stream as it is: no name in it need be one.
func readForged(t testing.TB, data []byte) *event.Stream {
	t.Helper()
	if _, err := event.ReadStream(bytes.NewReader(data), 0); err == nil {
		t.Fatal("the stream is valid: call it " + streamPart)
	}
	var events []event.Event
	for line := range bytes.Lines(data) {
		var kind struct{ Type string }
		if err := json.Unmarshal(line, &kind); err != nil {
			t.Fatal(err)
		}
		into, ok := map[string]event.Event{"config": &event.Config{}, "versions": &event.Versions{}, "match": &event.Match{}, "baseline": &event.Baseline{},
			"target": &event.Target{}, "finding": &event.Finding{}, "limit": &event.Limit{}, "summary": &event.Summary{}}[kind.Type]
		if !ok {
			t.Fatalf("no event of type %q here", kind.Type)
		}
		if err := json.Unmarshal(line, into); err != nil {
			t.Fatal(err)
		}
		events = append(events, into)
	}
	s, err := event.NewStream(events)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readStream accepts a stream that is cut off: txtar ends it with a line feed,
// so the last line is damaged rather than truncated.
func readStream(t testing.TB, data []byte) *event.Stream {
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
