package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDescriptionIsCut holds the file beside this folder against the list: it
// has these operations and no component that none of them needs.
func TestDescriptionIsCut(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../description.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 200<<10 {
		t.Errorf("it has %d bytes", len(b))
	}
	var d object
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	var there []string
	for path, item := range d["paths"].(object) {
		for method := range item.(object) {
			if method != "parameters" {
				there = append(there, strings.ToUpper(method)+" "+path)
			}
		}
	}
	want := slices.Clone(operations)
	slices.Sort(there)
	slices.Sort(want)
	if !slices.Equal(there, want) {
		t.Errorf("it has the operations\n%s\nrun go generate in bot/githubtest", strings.Join(there, "\n"))
	}
	again, err := components(d, d["paths"].(object))
	if err != nil {
		t.Fatal(err)
	}
	for kind, group := range d["components"].(object) {
		for name := range group.(object) {
			if kept, _ := again[kind].(object); kept[name] == nil {
				t.Errorf("nothing refers to %s/%s", kind, name)
			}
		}
	}
}

// TestCutAgain cuts the cut description: nothing more goes, to the byte.
func TestCutAgain(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "again.json")
	if err := cut("../description.json", to); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile("../description.json")
	b, _ := os.ReadFile(to)
	if string(a) != string(b) {
		t.Error("cutting twice gives something else than cutting once")
	}
}

func TestCutErrors(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON":             "<",
		"no operation":        `{"paths":{"/user":{"get":{}}}}`,
		"leads nowhere":       "",
		"leads out":           "",
		"another description": `{}`,
	} {
		if text == "" {
			ref := map[string]string{"leads nowhere": "#/components/schemas/x", "leads out": "other.json"}[name]
			d := object{"paths": object{}, "components": object{}}
			if _, err := components(d, object{"$ref": ref}); err == nil {
				t.Errorf("%s is no error", name)
			}
			continue
		}
		from := filepath.Join(t.TempDir(), "full.json")
		if err := os.WriteFile(from, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := cut(from, from+".out"); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
