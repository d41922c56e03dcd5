package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is noted is read again; what else stands in the file is nothing.
func TestNote(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "note"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if key, hook := NotedCall(f); key != 0 || hook != 0 {
		t.Errorf("of an empty file: %x, %d", key, hook)
	}
	if b, _ := NotedSequence(f); b != nil {
		t.Errorf("of an empty file: %q", b)
	}
	NoteCall(f, 1<<63+5, 7)
	if key, hook := NotedCall(f); key != 1<<63+5 || hook != 7 {
		t.Errorf("%x, %d", key, hook)
	}
	NoteSequence(f, []byte("sequence"))
	for _, c := range []struct{ note, step int }{{NoCall, -1}, {0, 0}, {3, 3}, {NoCall, -1}} {
		NoteStep(f, c.note)
		if b, step := NotedSequence(f); string(b) != "sequence" || step != c.step {
			t.Errorf("step %d: %q, %d", c.note, b, step)
		}
	}
	NoteSequence(f, []byte("another"))
	if b, step := NotedSequence(f); string(b) != "another" || step != -1 {
		t.Errorf("%q, step %d", b, step)
	}
	for what, text := range map[string][]byte{
		"of no length":                   {0, 0, 0, 0, 1},
		"longer than the file":           {200, 0, 0, 0, 1},
		"longer than a note can be":      append([]byte{0, 0, 16, 0}, make([]byte, MaxNote+8)...),
		"of the largest length and more": bytes.Repeat([]byte{255}, 64),
	} {
		if err := f.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(text, 0); err != nil {
			t.Fatal(err)
		}
		if b, _ := NotedSequence(f); b != nil {
			t.Errorf("%s: %d bytes", what, len(b))
		}
	}
}
