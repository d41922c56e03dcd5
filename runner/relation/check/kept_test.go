package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/relation/automr"
)

func TestInferredIsKept(t *testing.T) {
	t.Parallel()
	k := inferred[[]automr.Relation]{t.TempDir()}
	list := []automr.Relation{{Type: automr.TypeI, Inputs: 1, Outputs: 1, B: []float64{0, 1, -1}, Tolerance: 1e-9}}
	if _, ok := k.get("key"); ok {
		t.Fatal("nothing is kept yet")
	}
	if err := k.put("key", list); err != nil {
		t.Fatal(err)
	}
	got, ok := k.get("key")
	if diff := cmp.Diff(list, got); !ok || diff != "" {
		t.Fatalf("kept %t: %s", ok, diff)
	}
	if _, ok := k.get("other"); ok {
		t.Error("another function has other relations")
	}
	// None is an answer too, and is not asked for again.
	if err := k.put("none", nil); err != nil {
		t.Fatal(err)
	}
	if got, ok := k.get("none"); !ok || len(got) != 0 {
		t.Errorf("%v, %t", got, ok)
	}
}

// A damaged entry, or one of another key or format, is made anew.
func TestInferredIsDamaged(t *testing.T) {
	t.Parallel()
	k := inferred[[]automr.Relation]{t.TempDir()}
	list := []automr.Relation{{Type: automr.TypeI, Inputs: 1, Outputs: 1, B: []float64{0, 1, -1}}}
	if err := k.put("key", list); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(k.file("key"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 1
		if err := os.WriteFile(k.file("key"), damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := k.get("key"); ok {
			t.Fatalf("byte %d (%q) is damaged, and it is taken", i, whole[i])
		}
	}
	for _, cut := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(k.file("key"), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := k.get("key"); ok {
			t.Fatalf("the first %d bytes are taken", cut)
		}
	}
	if err := os.WriteFile(k.file("moved"), whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := k.get("moved"); ok {
		t.Error("an entry under another key is taken")
	}
}

func TestInferredNowhere(t *testing.T) {
	t.Parallel()
	if err := (inferred[[]automr.Relation]{}).put("key", nil); err != nil {
		t.Error("no folder, nothing to keep:", err)
	}
	if _, ok := (inferred[[]automr.Relation]{}).get("key"); ok {
		t.Error("there is nothing")
	}
	// A file where the folder should be: an error, and nothing lost.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (inferred[[]automr.Relation]{file}).put("key", nil); err == nil {
		t.Error("a file is no folder")
	}
	if b, _ := os.ReadFile(file); string(b) != "mine" {
		t.Error("the file is gone")
	}
}
