package html_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata; look at them in a browser before keeping them")

// TestGolden holds what all three kinds of files say of one stream. The style
// sheet and its hash are left out: they are source already.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"figure2", "relations"} {
		t.Run(name, func(t *testing.T) { t.Parallel(); golden(t, "testdata/"+name+".txtar") })
	}
}

func golden(t *testing.T, path string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stream := archive.Files[0]
	s, err := event.ReadStream(bytes.NewReader(stream.Data), 0)
	if err != nil {
		t.Fatal(err)
	}
	made := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{stream}}
	for _, f := range []struct{ format, name string }{{"html", "report.html"}, {"sarif", "report.sarif"}, {"junit", "junit.xml"}} {
		var b bytes.Buffer
		if err := report.Render(f.format, &b, s); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		switch f.format {
		case "html":
			data = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAll(data, []byte("<style></style>"))
			data = regexp.MustCompile(`sha256-[^ ;&]*`).ReplaceAll(data, []byte("sha256-…"))
		case "sarif":
			var indented bytes.Buffer
			if err := json.Indent(&indented, data, "", " "); err != nil {
				t.Fatal(err)
			}
			data = indented.Bytes()
		}
		made.Files = append(made.Files, txtar.File{Name: f.name, Data: data})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(made))); diff != "" {
		t.Errorf("golden parts are out of date (- recorded, + now); look at them and run go test ./report/html -update:\n%s", diff)
	}
}
