package mutant_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/subject"
	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
)

func subjectTree(t *testing.T, name string) *load.Tree {
	t.Helper()
	m, err := subject.Make(t.Context(), name, filepath.Join(t.TempDir(), "module"))
	if err != nil {
		t.Fatal(err)
	}
	return loaded(t, m.Dir)
}

// With no mutant active, a program of schemata passes its suite exactly as the
// plain one does: the same tests and subtests, with the same results.
func TestSchemataWithoutMutantPassAsPlain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"encoding/base32", "encoding/csv", "mime/quotedprintable"} {
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("slow: builds two test binaries")
			}
			tree := subjectTree(t, name)
			plain := results(t, tree.Dir)
			set, err := mutant.Make(t.Context(), tree, mutant.Selection{Limit: 300})
			if err != nil {
				t.Fatal(err)
			}
			for _, structural := range []bool{false, true} {
				prog, err := mutant.Schemata(tree, set.Mutants, mutant.Form{Structural: structural})
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(tree.Dir)); err != nil {
					t.Fatal(err)
				}
				for file, src := range prog.Files {
					if err := os.WriteFile(filepath.Join(dir, file), src, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(plain, results(t, dir)); diff != "" {
					t.Errorf("structural %v: results (-plain +schemata):\n%s", structural, diff)
				}
			}
		})
	}
}

var result = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): [^ ]+`)

func results(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-short", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := result.FindAllString(string(out), -1)
	if len(found) == 0 {
		t.Fatalf("no results in\n%s", out)
	}
	return found
}

// A mutant chosen in the schemata is killed, or not, as the mutant applied to
// the source is.
func TestSchemataKillAsPlain(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds a test binary per mutant")
	tree := subjectTree(t, "text/tabwriter")
	set, err := mutant.Make(t.Context(), tree, mutant.Selection{Limit: 12, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	schemata, err := mutant.Kill(t.Context(), tree, set.Mutants)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Mutants {
		set.Mutants[i].Plain = true
	}
	plain, err := mutant.Kill(t.Context(), tree, set.Mutants)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain, schemata); diff != "" {
		t.Errorf("outcomes (-plain +schemata):\n%s\n%v", diff, set.Mutants)
	}
	if len(schemata.Of(set.Mutants, mutant.Killed)) == 0 || len(schemata.Of(set.Mutants, mutant.Survived)) == 0 {
		t.Errorf("outcomes %v: want killed and surviving mutants in the sample", schemata)
	}
}

// A failing test, an endless loop, endless memory and an exit that claims
// success all kill; what no test looks at survives.
func TestOutcomes(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: waits for a time limit")
	}
	tree := module(t, map[string]string{
		"p.go": `package p

import "os"

func Sum(n int) int {
	s := 0
	for n > 0 {
		s += n
		n--
	}
	return s
}

func Grow(bad bool) (b [][]byte) {
	for bad {
		b = append(b, make([]byte, 1<<26))
	}
	return b
}

func Leave(bad bool) {
	if bad {
		os.Exit(0)
	}
}

func Unseen() int { return 41 }
`,
		"p_test.go": `package p

import "testing"

func TestSum(t *testing.T) {
	if Sum(3) != 6 {
		t.Fail()
	}
	Grow(false)
	Leave(false)
}
`})
	want := map[string]mutant.Outcome{
		"s += n → s -= n":       mutant.Killed,
		"n-- → deleted":         mutant.TimedOut,
		"Grow: bad → !bad":      mutant.Killed,
		"Leave: bad → !bad":     mutant.Killed,
		"return 41 → return 42": mutant.Survived,
	}
	// The others would only wait for their time limit too.
	var chosen []mutant.Mutant
	expected := mutant.Outcomes{}
	for _, m := range all(t, tree).Mutants {
		for text, outcome := range want {
			if strings.HasSuffix(m.String(), text) {
				chosen = append(chosen, m)
				expected[m.ID] = outcome
			}
		}
	}
	if len(chosen) != len(want) {
		t.Fatalf("%d mutants found, want %d: %v", len(chosen), len(want), chosen)
	}
	outcomes, err := mutant.Kill(t.Context(), tree, chosen)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected, outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s\n%v", diff, chosen)
	}
}

func TestOutcomesOf(t *testing.T) {
	t.Parallel()
	got := mutant.Outcomes{1: mutant.Survived, 2: mutant.Killed, 3: mutant.TimedOut, 4: mutant.Survived}.
		Of([]mutant.Mutant{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}}, mutant.Survived)
	if len(got) != 2 || got[0].ID != 1 || got[1].ID != 4 {
		t.Errorf("got %v, want mutants 1 and 4: one that hangs is detected", got)
	}
}

// Where the tests fail without a mutant, no mutant can be said to be killed.
func TestKillNeedsPassingTests(t *testing.T) {
	t.Parallel()
	tree := module(t, map[string]string{
		"p.go":      "package p\n\nvar X = 1\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Error(\"always\") }\n",
	})
	_, err := mutant.Kill(t.Context(), tree, all(t, tree).Mutants)
	if err == nil || !strings.Contains(err.Error(), "fail without a mutant") || !strings.Contains(err.Error(), "always") {
		t.Errorf("error %v", err)
	}
}
