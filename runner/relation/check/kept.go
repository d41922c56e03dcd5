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

// inferred keeps what was inferred of functions, in one file for each: relations, or
// what a search has found that may be relations. The name is a digest of all that the
// function may execute. It stays valid when lines move, and another commit finds it where
// the code is the same. The zero value keeps nothing.
type inferred[T any] struct{ dir string }

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

// numericKey is what an inference of a function of numbers depends on; "" where it is not
// known.
func (s *Stage) numericKey(o surface.Operation, n surface.Numeric, points []float64, opt automr.Options) string {
	return s.inferredKey(o, inferredFormat, n.Params, n.Integer, n.Min, n.Max, n.Out, points, opt)
}

// inferredKey is a digest of a function's code and of what else an inference depends on;
// "" where that is not known.
func (s *Stage) inferredKey(o surface.Operation, on ...any) string {
	behaviour, ok := s.Matching.Base.Behaviour(o.At[version.Base])
	if !ok {
		return ""
	}
	rest, err := json.Marshal(append([]any{behaviour, o.Name, s.GoVersion}, on...))
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

func (k inferred[T]) file(key string) string { return filepath.Join(k.dir, "relations", key+".json") }

// get returns what is kept; false if nothing is, or if it is damaged.
func (k inferred[T]) get(key string) (out T, ok bool) {
	var none T
	if k.dir == "" || key == "" {
		return none, false
	}
	b, err := os.ReadFile(k.file(key))
	if err != nil {
		return none, false
	}
	var e inferredEntry
	if json.Unmarshal(b, &e) != nil || e.Format != inferredFormat || e.Key != key || e.Sum != sumOf(e.Relations) || json.Unmarshal(e.Relations, &out) != nil {
		return none, false
	}
	return out, true
}

// put keeps relations, whole or not at all.
func (k inferred[T]) put(key string, list T) error {
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
