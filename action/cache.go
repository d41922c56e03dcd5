package action

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/isodelta/isodelta/action/checkout"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// maxStream bounds a stream that is read, in bytes.
const maxStream = 1 << 30

// cache keeps one result by its content: the files of both versions and all
// that influences what a comparison of them gives. A nil cache keeps nothing.
type cache struct {
	file string
	key  string
}

// cacheHead is the first line of an entry; the stream follows.
type cacheHead struct {
	Format int    `json:"isodelta_result"`
	Key    string `json:"key"`
	Sum    string `json:"sha256"` // of the rest
}

// openCache finds the entry for a comparison; nil where dir is "".
func openCache(dir, tool string, options any, c Commits, co *checkout.Checkout) (*cache, error) {
	if dir == "" {
		return nil, nil
	}
	key, err := cacheKey(tool, options, c, co)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &cache{filepath.Join(dir, key+".jsonl"), key}, nil
}

// cacheKey is a digest of what a result depends on. What the tests do with
// other variables of the environment, or with the network, is not seen.
func cacheKey(tool string, options any, c Commits, co *checkout.Checkout) (string, error) {
	base, err := co.Tree(c.Base.Hash)
	if err != nil {
		return "", err
	}
	head, err := co.Tree(c.Head.Hash)
	if err != nil {
		return "", err
	}
	goenv, err := goEnvironment()
	if err != nil {
		return "", err
	}
	program, err := executableSum()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{
		"format": 1, "tool": tool, "program": program, "go": goenv, "base": base, "head": head,
		"folder": co.Prefix(), "options": options,
	})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:20]), nil
}

func goEnvironment() (string, error) {
	cmd := exec.Command("go", "env", "GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "GOFLAGS", "GOEXPERIMENT", "GODEBUG")
	cmd.Env, _ = sandbox.BuildEnv(os.Environ())
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return string(out), nil
}

// executableSum tells builds of one version apart: a branch has one name and
// many contents.
func executableSum() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// get reads the entry; nil without one. With an error there is none
// either: it is damaged, and put replaces it.
func (c *cache) get() (*event.Stream, error) {
	if c == nil {
		return nil, nil
	}
	text, err := os.ReadFile(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	var head cacheHead
	sum := sha256.Sum256(rest)
	switch err := json.Unmarshal(line, &head); {
	case err != nil:
		return nil, errors.New("its first line cannot be read")
	case head.Format != 1 || head.Key != c.key:
		return nil, errors.New("it is of another comparison")
	case head.Sum != hex.EncodeToString(sum[:]):
		return nil, errors.New("its checksum is wrong")
	}
	s, err := event.ReadStream(bytes.NewReader(rest), maxStream)
	if err != nil {
		return nil, err
	}
	if !lasting(s) {
		return nil, errors.New("it is not whole")
	}
	s.Limits = append(s.Limits, event.Limit{Type: "limit", Kind: event.LimitCache, What: "this result",
		Reason: "it was taken from an earlier run over the same content, with the same options"})
	return s, nil
}

// put keeps a result, if a later run would find the same.
func (c *cache) put(s *event.Stream) error {
	if c == nil || !lasting(s) {
		return nil
	}
	var b bytes.Buffer
	w := event.NewWriter(&b)
	for _, e := range s.Events() {
		w.Emit(e)
	}
	if err := w.Err(); err != nil {
		return err
	}
	sum := sha256.Sum256(b.Bytes())
	head, err := json.Marshal(cacheHead{1, c.key, hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	return replaceFile(filepath.Dir(c.file), filepath.Base(c.file), func(out io.Writer) error {
		if _, err := fmt.Fprintf(out, "%s\n", head); err != nil {
			return err
		}
		_, err := out.Write(b.Bytes())
		return err
	})
}

// lasting reports whether a result is worth keeping: whole, and not cut short by
// a budget, which another machine would use otherwise.
func lasting(s *event.Stream) bool {
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		return false
	}
	return s.Summary.Skipped == 0 && !s.Summary.Interrupted
}
