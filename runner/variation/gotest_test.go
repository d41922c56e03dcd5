package variation

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
)

const testedSource = `package m

import (
	"errors"
	"strings"
	"testing"
)

type failer interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

func equal(t failer, want, got string) {
	t.Helper()
	if want != got {
		t.Errorf("%q is not %q", got, want)
		t.FailNow()
	}
}

func parse(s string) (string, error) {
	if s == "" {
		return "", errors.New("empty")
	}
	return strings.ToUpper(s), nil
}

func TestParse(t *testing.T) {
	got, err := parse("a")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "A", got)
	t.Run("again", func(t *testing.T) {
		if got, _ := parse("b"); got != "B" {
			t.Fatalf("got %q", got)
		}
	})
}

func other(t *testing.T, s string) { equal(t, s, "z") }

func TestOther(t *testing.T) { other(t, "z") }
`

// written is the test to paste for a variation of the first point with a text.
func written(t *testing.T, test, was, is, site string, want ...string) (string, error) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": "package m\n", "m_test.go": testedSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := instrument.Tests(tree, instrument.Config{Vary: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(suite.Tests, func(x instrument.Test) bool { return x.Name == test })
	x := &baseline.Test{Test: &build.Test{Test: suite.Tests[i], Suite: &build.Suite{Own: &build.Version{Tree: tree}, Text: suite}}}
	k := slices.IndexFunc(pointsOf(x), func(p instrument.Point) bool { return p.Text == was })
	if k < 0 {
		t.Fatalf("%s has no point %s", test, was)
	}
	g := GoTest{Test: x, Variation: Variation{pointsOf(x)[k], is}, Name: "TestIsodeltaX", Suffix: "x", Want: want, Says: "is a test."}
	if site != "" {
		k := slices.IndexFunc(suite.Sites, func(s instrument.Site) bool { return s.Text == site && s.Test == test })
		if k < 0 {
			t.Fatalf("nothing looks at %s", site)
		}
		g.Site = &suite.Sites[k]
	}
	text, err := g.Write()
	return string(text), err
}

// What the test expects fails nothing any more, and what is looked at is what base gives.
func TestWrite(t *testing.T) {
	t.Parallel()
	text, err := written(t, "TestParse", `"b"`, "", "got", `""`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"func TestIsodeltaX(t *testing.T)", "const want = `\"\"`", `equal(quietx{t}, "A", `, `parse("")`, "panic(endx{})", "defer endedx()", `"strings"`, `t.Logf("got %q", got)`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, not := range []string{"t.Fatal", "errors", "//go:build"} {
		if strings.Contains(text, not) {
			t.Errorf("%s in\n%s", not, text)
		}
	}
}

// Nothing is calmed where a function takes the test itself.
func TestWriteHelper(t *testing.T) {
	t.Parallel()
	if text, err := written(t, "TestOther", `"z"`, "y", "", ""); err != nil {
		t.Fatal(err)
	} else if !strings.Contains(text, `other(t, "y")`) {
		t.Errorf("the literal is not in place:\n%s", text)
	}
}
