package deterministic

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// ErrUnsupported says that this Go distribution cannot be patched. The error
// that wraps it gives the reason.
var ErrUnsupported = errors.New("deterministic run time not supported")

// oldest is the first Go version in which every random source of the standard
// library goes through runtime.rand, on which the patches rest.
const oldest = "go1.22"

// Patch is a seeded run time, ready to build with.
type Patch struct {
	// Replace holds entries for the file that `go build -overlay` reads:
	// absolute path in GOROOT -> absolute path of the patched copy.
	Replace map[string]string
	// Env is what the go command needs in addition to its environment; it is
	// empty for the Go versions known so far.
	Env []string
	// Masked names the noise that the run time takes out, and Open what it
	// leaves although other Go versions allow it to be taken out.
	Masked, Open []string
	// Seedable says that runtime.isodelta_seq exists.
	Seedable bool
}

// Overlay writes patched copies of files below goroot into dir, which it
// creates where needed. goversion is what `go env GOVERSION` prints, such as
// "go1.26.8". An error that wraps [ErrUnsupported] means that the distribution
// is not one this package knows; any other that reading or writing failed.
func Overlay(goroot, goversion, dir string) (*Patch, error) {
	release, _, _ := strings.Cut(goversion, " ")                                                         // "go1.26.8 X:…"
	before := func(v string) bool { return version.IsValid(release) && version.Compare(release, v) < 0 } // false for a development version
	if before(oldest) {
		return nil, fmt.Errorf("%w: %s is older than %s", ErrUnsupported, goversion, oldest)
	}
	goroot, err := filepath.Abs(goroot)
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	src := source{root: filepath.Join(goroot, "src"), version: goversion, texts: map[string]string{}}
	p := &Patch{Seedable: true}
	for _, m := range masks {
		if before(m.since) {
			continue
		}
		err := m.apply(&src)
		switch {
		case err == nil:
			p.Masked = append(p.Masked, m.noise)
		case m.optional && errors.Is(err, ErrUnsupported):
			p.Open = append(p.Open, m.noise)
		default:
			return nil, err
		}
	}
	p.Replace, err = src.write(dir)
	return p, err
}

// source holds the patched texts until all patches have found their anchors.
type source struct {
	root    string // absolute, GOROOT/src
	version string
	texts   map[string]string // slash path below root -> text as patched so far
}

func (s *source) read(name string) (string, error) {
	if text, ok := s.texts[name]; ok {
		return text, nil
	}
	b, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		return "", s.unsupported("%s: no such file", name)
	}
	return string(b), err
}

func (s *source) unsupported(format string, args ...any) error {
	return fmt.Errorf("%w by the sources of %s: %s", ErrUnsupported, s.version, fmt.Sprintf(format, args...))
}

// write stores all texts in dir and returns the overlay's entries.
func (s *source) write(dir string) (map[string]string, error) {
	replace := map[string]string{}
	names := make([]string, 0, len(s.texts))
	for name := range s.texts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, []byte(s.texts[name]), 0o600); err != nil {
			return nil, err
		}
		replace[filepath.Join(s.root, filepath.FromSlash(name))] = at
	}
	return replace, nil
}
