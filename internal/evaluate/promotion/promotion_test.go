package promotion

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const stream = `{"type":"config","version":1,"seed":1}
{"type":"finding","id":"a","rung":"reached","intended":false,"package":"m","condition":"","function":"F","file":"f.go","line":1,"negations":[],"kind":"value","base":{"outcome":"pass"},"head":{"outcome":"pass"},"changed":["F"],"cluster":"c","representative":true,"merged":["x in F"]}
{"type":"finding","id":"b","rung":"forced","intended":false,"package":"m","suite":"head","test":"TestF","condition":"y","function":"F","file":"f.go","line":1,"negations":[{"id":"m.F#y#0","text":"y","function":"F","file":"f.go","line":1,"match":"strict","taken":true}],"kind":"value","base":{"outcome":"pass"},"head":{"outcome":"pass"},"changed":["F"],"cluster":"d","representative":true,"fate":{"state":"not-found","calls":0,"tried":9}}
{"type":"summary","folded":[{"condition":"z","function":"F","taken":true,"kind":"value","calls":30,"tests":0}],"goals":[{"version":"head","function":"F","file":"f.go","line":1,"branch":"y is true","state":"taken","tried":5},{"version":"head","function":"F","file":"f.go","line":2,"branch":"z is true","state":"not-tried","tried":0}],"verdict":"differences"}
`

func TestCounts(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "one.jsonl")
	if err := os.WriteFile(file, []byte(stream), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(context.Background(), []string{"-streams", filepath.Join(filepath.Dir(file), "*.jsonl")}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := []string{"one", "2", "1", "0", "1", "3", "1", "1", "0", "1", "0"}
	found := false
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 0 && f[0] == "one" {
			found = true
			if strings.Join(f, " ") != strings.Join(want, " ") {
				t.Errorf("%v, want %v", f, want)
			}
		}
	}
	if !found || !strings.Contains(out.String(), "promotion.goals.taken=0.500") || !strings.Contains(out.String(), "promotion.forced.untold=0") {
		t.Errorf("%s", out.String())
	}
}

func TestWrongStreams(t *testing.T) {
	t.Parallel()
	cut := filepath.Join(t.TempDir(), "cut.jsonl")
	if err := os.WriteFile(cut, []byte(`{"type":"config","version":1,"seed":1}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string]string{"": "names no file", "nowhere.jsonl": "there is no file", "[": "no pattern", cut: "cut off"} {
		err := Run(context.Background(), []string{"-streams", list}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", list, err)
		}
	}
}
