package mutant

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/load"
)

// Executable is a program that holds mutants. It reads a question from its standard input
// and writes the answer to its standard output, both by encoding/gob.
type Executable struct {
	Tree    *load.Tree // without mutants
	Mutants []Mutant
	path    string
}

// perQuestion bounds one run of an executable.
const perQuestion = 30 * time.Second

// Build writes a module and builds its package in the folder main, with those mutants of the
// subject that one program can hold and that are wanted. The subject is one package; driver
// are files that are not mutated.
func Build(ctx context.Context, w *rig.Workspace, subject, driver map[string][]byte, main string, seed uint64, wanted func(Mutant) bool) (*Executable, error) {
	dir, err := layOut(w.Dir, subject)
	if err != nil {
		return nil, err
	}
	t, err := w.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	set, err := Make(ctx, t, Selection{Limit: math.MaxInt, Seed: seed})
	if err != nil {
		return nil, err
	}
	e := &Executable{Tree: t}
	for _, m := range set.Mutants {
		if !m.Plain && m.Function != "" && wanted(m) {
			e.Mutants = append(e.Mutants, m)
		}
	}
	schemata, err := Schemata(t, e.Mutants, Form{Structural: true})
	if err != nil {
		return nil, err
	}
	if dir, err = layOut(w.Dir, subject, driver, schemata.Files); err != nil {
		return nil, err
	}
	e.path = filepath.Join(dir, "program")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", e.path, "./"+main)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build in %s: %w\n%s", dir, err, text)
	}
	return e, nil
}

// layOut writes files into a new folder; later ones replace earlier ones of the name.
func layOut(dir string, files ...map[string][]byte) (string, error) {
	root, err := os.MkdirTemp(dir, "program-")
	if err != nil {
		return "", err
	}
	for _, list := range files {
		for name, content := range list {
			if err := rig.WriteFile(filepath.Join(root, filepath.FromSlash(name)), content); err != nil {
				return "", err
			}
		}
	}
	return root, nil
}

// Ask runs the program with a mutant, 0 for none, and reports whether it answered. A mutant
// that ends the process or hangs does not; without one that is an error.
func (e *Executable) Ask(ctx context.Context, id int, question, answer any) (answered bool, err error) {
	var in, out, said bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(question); err != nil {
		return false, err
	}
	limited, stop := context.WithTimeout(ctx, perQuestion)
	defer stop()
	cmd := exec.CommandContext(limited, e.path)
	cmd.Env = append(os.Environ(), Variable+"="+strconv.Itoa(id), "GOMEMLIMIT=1GiB")
	cmd.WaitDelay = time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &said
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && id > 0 && (limited.Err() != nil || errors.As(err, &ended)):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("program with mutant %d: %w: %.500s", id, err, said.Bytes())
	}
	if err := gob.NewDecoder(&out).Decode(answer); err != nil {
		return false, fmt.Errorf("answer of the program with mutant %d: %w", id, err)
	}
	return true, nil
}
