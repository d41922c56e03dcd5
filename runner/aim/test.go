package aim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/reach"
)

// maxRun bounds one run of a test.
const maxRun = 20 * time.Second

// show writes the test of an input, and runs it twice: with the code as it is, where it
// has to pass, and with the code instrumented, where it has to take the branch.
func (s *Stage) show(ctx context.Context, f *Found, t calls.Took) error {
	s.Env.Progress("aim", "trying the test that takes "+f.String(), 0, 0)
	a := calls.NewAimer(s.Env.Lab, s.target(s.binary), s.api.Literals, nil, nil, uint64(s.Env.Seed))
	defer a.Close()
	f.Tried = max(f.Tried, t.Runs)
	smaller, err := a.Smaller(ctx, t.Sequence, t.Goal)
	if err != nil {
		return err
	}
	for _, way := range []struct {
		sequence wire.Sequence
		ending   bool
	}{{smaller, false}, {smaller, true}, {t.Sequence, false}, {t.Sequence, true}} {
		answer, at, err := a.Shows(ctx, way.sequence, way.ending)
		var ended *execute.EndedError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &ended):
			f.NoTest = "the input does not run again: " + ended.Message
			continue
		case err != nil:
			f.NoTest = err.Error()
			continue
		}
		f.Input = inputText(s.api.Package, answer.Code)
		if answer.NoCode != "" {
			f.NoTest = answer.NoCode
			continue
		}
		if err := s.try(ctx, f, answer, at); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.NoTest = err.Error()
			continue
		}
		f.Taken, f.NoTest = true, ""
		return nil
	}
	f.Why = "an input took it, but not in a test of its own: " + f.NoTest
	return nil
}

// try writes a test and shows that it takes the branch.
func (s *Stage) try(ctx context.Context, f *Found, answer wire.Answer, at wire.Place) error {
	v := s.Single.Version
	function := answer.Steps[len(answer.Steps)-1].Op
	id := f.id()
	text, err := calls.WriteTaking(calls.TestSpec{ID: id, Function: function, Package: s.api.Package, Name: s.api.Name, Place: at,
		Code: answer.Code, BaseViews: answer.Views, HeadViews: answer.Views, Language: v.Tree.GoVersion, Declares: reach.Declares(v.Tree, s.api.Package)},
		fmt.Sprintf("%s:%d: %s", f.Goal.File, f.Line, f.String()))
	if err != nil {
		return err
	}
	name, file := calls.TestName(function, id), calls.TestFile(id)
	in := v.PackageDir(s.api.Package)
	run := func(purpose string, plain bool, text []byte) (string, error) {
		at := filepath.Join(s.Single.Folder(purpose), "test", file)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(at, text, 0o644); err != nil {
			return "", err
		}
		program := v.Program
		if plain {
			program = nil
		}
		return s.Single.Test(ctx, s.api.Package, purpose, program, map[string]string{filepath.Join(in, file): at})
	}
	binary, err := run("plain", true, text)
	if err != nil {
		return err
	}
	target := execute.Target{Binary: binary, Dir: in, Test: name}
	if passed, output, err := s.Env.Lab.RunTest(ctx, target, maxRun); err != nil {
		return err
	} else if !passed {
		return fmt.Errorf("the test does not pass by itself: %s", strings.TrimSpace(output))
	}
	if binary, err = run("shown", false, observed(text, name)); err != nil {
		return err
	}
	target = s.target(binary)
	target.Test = name
	session := s.Env.Lab.Session(target)
	defer session.Close()
	session.Limit = maxRun
	r, err := session.Do(ctx, execute.Command{Fuel: 1 << 40})
	switch {
	case err != nil:
		return err
	case r.Outcome != event.Pass:
		return fmt.Errorf("the test ends otherwise with the code instrumented: %s %s", r.Outcome, r.Message)
	case !r.Covered.Has(f.branch):
		return errors.New("the test does not take the branch by itself")
	}
	f.Test, f.File = string(text), path.Join(v.Tree.Rel(in), file)
	if f.File = strings.TrimPrefix(f.File, "./"); !strings.HasSuffix(f.File, ".go") {
		return errors.New("the test has no name")
	}
	return nil
}

// observed has a test tell the parent when it begins and ends, and what it covered.
func observed(text []byte, name string) []byte {
	s := string(text)
	head := "func " + name + "(t *testing.T) {\n"
	s = strings.Replace(s, head, strings.TrimSuffix(head, "\n")+"defer isodelta_probe.T(t)()\n", 1)
	if i := strings.Index(s, "import ("); i >= 0 {
		s = s[:i] + fmt.Sprintf("import isodelta_probe %q\n\n", probe.Path) + s[i:]
	}
	return []byte(s)
}

// inputText returns a sequence as Go statements, packages named as a user does.
func inputText(pkg string, c wire.Code) string {
	lines := append([]string(nil), c.Lines[:min(c.Setup, len(c.Lines))]...)
	if c.Call != "" {
		lines = append(lines, c.Call)
	}
	return wire.Qualify(strings.Join(lines, "\n"), func(at string) string {
		if at == pkg {
			return ""
		}
		if name := c.Imports[at]; name != "" {
			return name + "."
		}
		return path.Base(at) + "."
	})
}
