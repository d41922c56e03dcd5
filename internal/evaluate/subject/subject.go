package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Subject is a package of the Go distribution that can stand alone.
type Subject struct {
	Name string // import path in the distribution, such as "text/tabwriter"

	// drop names test declarations that cannot work outside the
	// distribution, with the reason.
	drop map[string]string
}

// List returns the subjects in a fixed order.
func List() []Subject {
	outside := func(names ...string) map[string]string {
		m := map[string]string{}
		for _, name := range names {
			m[name] = "reads files outside the package"
		}
		return m
	}
	return []Subject{
		{Name: "text/tabwriter"},
		{Name: "encoding/csv"},
		{Name: "encoding/hex"},
		{Name: "encoding/ascii85"},
		{Name: "encoding/base32"},
		{Name: "encoding/base64"},
		{Name: "encoding/pem"},
		{Name: "path"},
		{Name: "html"},
		{Name: "container/list"},
		{Name: "container/ring"},
		{Name: "container/heap"},
		{Name: "text/scanner"},
		{Name: "compress/lzw", drop: outside("BenchmarkDecoder", "BenchmarkEncoder")},
		{Name: "regexp/syntax"},
		{Name: "text/template/parse"},
		{Name: "index/suffixarray"},
		{Name: "mime/quotedprintable"},
		{Name: "go/constant"},
		{Name: "go/build/constraint"},
		{Name: "net/mail"},
		{Name: "sort"},
	}
}

// A Module is a subject laid out on disk.
type Module struct {
	Name    string // of the subject
	Path    string // module path, such as "example.com/subject/text/tabwriter"
	Dir     string // holds go.mod and the package
	Dropped []Drop // in order of file and place
}

// A Drop is a test declaration that was left out.
type Drop struct {
	File   string // in the package
	Name   string // of the declaration; "" for the whole file
	Reason string
}

// listed is the part of go list's answer that decides what is copied.
type listed struct {
	Dir                                                  string
	GoFiles, TestGoFiles, XTestGoFiles                   []string
	CgoFiles, SFiles, CFiles, EmbedFiles, TestEmbedFiles []string
}

// Make lays the named subject out in dir, which is made if need be and must
// be empty.
func Make(ctx context.Context, name, dir string) (*Module, error) {
	var s *Subject
	for _, known := range List() {
		if known.Name == name {
			s = &known
		}
	}
	if s == nil {
		return nil, fmt.Errorf("subject %q is unknown; choose one of %s", name, strings.Join(Names(), ", "))
	}
	dir, err := emptyDir(dir)
	if err != nil {
		return nil, err
	}
	pkg, err := list(ctx, name, dir)
	if err != nil {
		return nil, err
	}
	m := &Module{Name: name, Path: "example.com/subject/" + name, Dir: dir}

	lang, err := language(ctx, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"go.mod": []byte("module " + m.Path + "\n\ngo " + lang + "\n")}

	p := pruner{own: name, code: map[string][]byte{}, tests: map[string][]byte{}, named: s.drop}
	for _, file := range pkg.GoFiles {
		src, err := os.ReadFile(filepath.Join(pkg.Dir, file))
		if err != nil {
			return nil, err
		}
		if src, err = publish(file, src); err != nil {
			return nil, fmt.Errorf("subject %s cannot stand alone: %w", name, err)
		}
		files[file], p.code[file] = src, src
	}
	for _, file := range append(pkg.TestGoFiles, pkg.XTestGoFiles...) {
		src, err := os.ReadFile(filepath.Join(pkg.Dir, file))
		if err != nil {
			return nil, err
		}
		p.tests[file] = src
	}
	tests, err := p.prune()
	if err != nil {
		return nil, fmt.Errorf("tests of subject %s: %w", name, err)
	}
	m.Dropped = p.dropped
	for file, src := range tests {
		if files[file], err = reimport(file, src, name, m.Path); err != nil {
			return nil, err
		}
	}
	for _, file := range append(pkg.EmbedFiles, pkg.TestEmbedFiles...) {
		if files[file], err = os.ReadFile(filepath.Join(pkg.Dir, file)); err != nil {
			return nil, err
		}
	}
	for file, content := range files {
		if err := write(filepath.Join(dir, file), content); err != nil {
			return nil, err
		}
	}
	testdata := filepath.Join(pkg.Dir, "testdata")
	if _, err := os.Stat(testdata); err == nil {
		// An embedded file below testdata is there already.
		if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS(testdata)); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	return m, nil
}

// Names are those of the subjects, in the same order.
func Names() []string {
	var out []string
	for _, s := range List() {
		out = append(out, s.Name)
	}
	return out
}

func emptyDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("a subject needs an empty directory, and %s holds %s; choose another", dir, entries[0].Name())
	}
	return dir, nil
}

func list(ctx context.Context, name, dir string) (*listed, error) {
	out, err := run(ctx, dir, "go", "list", "-json", name)
	if err != nil {
		return nil, err
	}
	pkg := new(listed)
	if err := json.Unmarshal(out, pkg); err != nil {
		return nil, fmt.Errorf("go list %s: %w", name, err)
	}
	for _, foreign := range [][]string{pkg.CgoFiles, pkg.SFiles, pkg.CFiles} {
		if len(foreign) > 0 {
			return nil, fmt.Errorf("subject %s cannot stand alone: it has %s", name, strings.Join(foreign, ", "))
		}
	}
	return pkg, nil
}

// language returns the installed toolchain's language version, such as "1.26".
func language(ctx context.Context, dir string) (string, error) {
	out, err := run(ctx, dir, "go", "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	lang := version.Lang(strings.Fields(string(out))[0])
	if lang == "" {
		return "", fmt.Errorf("go env GOVERSION says %q, which names no release; install a released Go", out)
	}
	return strings.TrimPrefix(lang, "go"), nil
}

// run returns a command's standard output. It runs outside any workspace, since
// the directory may lie below one.
func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s in %s: %w\n%s", name, strings.Join(args, " "), dir, err, stderr.Bytes())
	}
	return out, nil
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}
