package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/relation/automr"
	"github.com/isodelta/isodelta/runner/version"
)

// inferred keeps the relations that were inferred of functions, in one file for
// each, under a digest of all that the function may execute. It stays valid
// when lines move, and another commit finds it where the code is the same. The
// zero value keeps nothing.
type inferred struct{ dir string }

// maxModuleFile bounds go.mod and go.sum, in bytes, which are read when tests have run.
const maxModuleFile = 64 << 20

// inferredFormat changes when what package automr finds does.
const inferredFormat = 5

type inferredEntry struct {
	Format    int             `json:"isodelta_relations"`
	Key       string          `json:"key"`
	Sum       string          `json:"sha256"` // of Relations
	Relations json.RawMessage `json:"relations"`
}

// inferredKey is what an inference depends on; "" where it is not known.
func (s *Stage) inferredKey(o surface.Operation, n surface.Numeric, points []float64, opt automr.Options) string {
	behaviour, ok := s.Matching.Base.Behaviour(o.At[version.Base])
	if !ok {
		return ""
	}
	rest, err := json.Marshal([]any{inferredFormat, behaviour, o.Name, n.Params, n.Integer, n.Min, n.Max, n.Out, points, opt, s.GoVersion})
	if err != nil {
		return ""
	}
	h := sha256.New()
	h.Write(rest)
	// What the module is built with may act too.
	for _, name := range []string{"go.mod", "go.sum"} {
		b, _ := regular.ReadFile(filepath.Join(s.Matching.Versions[version.Base].Module, name), maxModuleFile)
		fmt.Fprintf(h, "\n%s %d\n", name, len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (k inferred) file(key string) string { return filepath.Join(k.dir, "relations", key+".json") }

// get returns what is kept; false if nothing is, or if it is damaged.
func (k inferred) get(key string) ([]automr.Relation, bool) {
	if k.dir == "" || key == "" {
		return nil, false
	}
	b, err := os.ReadFile(k.file(key))
	if err != nil {
		return nil, false
	}
	var e inferredEntry
	var out []automr.Relation
	if json.Unmarshal(b, &e) != nil || e.Format != inferredFormat || e.Key != key || e.Sum != sumOf(e.Relations) || json.Unmarshal(e.Relations, &out) != nil {
		return nil, false
	}
	return out, true
}

// put keeps relations, whole or not at all.
func (k inferred) put(key string, list []automr.Relation) error {
	if k.dir == "" || key == "" {
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	b, err := json.Marshal(inferredEntry{Format: inferredFormat, Key: key, Sum: sumOf(text), Relations: text})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.file(key)), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(k.file(key)), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), k.file(key))
}

func sumOf(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
