package automr

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// distribution returns GOROOT.
func distribution(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// The copy has what a function reaches, and nothing else; nothing of assembly,
// whatever the machine; and every line where it was.
func TestCopyKeepsWhatIsReached(t *testing.T) {
	t.Parallel()
	root := distribution(t)
	c, err := copyMath(root, []string{"Log10", "Atan"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Log10", "log10", "Log", "log", "Frexp", "frexp"} {
		if !slices.Contains(c.reach["Log10"], name) {
			t.Errorf("Log10 reaches %v, and not %s", c.reach["Log10"], name)
		}
	}
	for _, name := range []string{"Atan", "atan", "satan", "xatan"} {
		if !slices.Contains(c.reach["Atan"], name) || !c.own["Atan "+name] {
			t.Errorf("Atan's own are %v, and not %s", c.own, name)
		}
	}
	if slices.Contains(c.reach["Atan"], "log") || c.own["Log10 log"] || !c.own["Log10 log10"] {
		t.Errorf("reached: %v, own: %v", c.reach, c.own)
	}
	for name, src := range c.files {
		if strings.Contains(string(src), "haveArch") {
			t.Errorf("%s has a branch to assembly", name)
		}
		original, err := os.ReadFile(filepath.Join(root, "src", "math", name))
		if err != nil {
			t.Fatal(err)
		}
		if len(original) != len(src) {
			t.Errorf("%s has %d bytes, %d in the distribution", name, len(src), len(original))
			continue
		}
		for _, d := range c.decls[name] {
			got, want := src[d.start:d.end], original[d.start:d.end]
			if string(got) != string(want) && !strings.Contains(string(want), "haveArch") {
				t.Errorf("%s: %s is not the distribution's:\n%s", name, d.name, got)
			}
			if c.at(name, d.start) != d.name || c.at(name, d.end) == d.name {
				t.Errorf("%s: the place of %s is not its own", name, d.name)
			}
		}
		if strings.Contains(string(src), "func log2(") || strings.Contains(string(src), "func sqrt(") {
			t.Errorf("%s has functions that nothing reaches", name)
		}
	}
	if _, err := copyMath(root, []string{"NoSuch"}); err == nil || !strings.Contains(err.Error(), "no function NoSuch") {
		t.Errorf("a function that is not there: error %v", err)
	}
}

// Every program answers what the distribution does, up to what assembly may
// compute otherwise, and what panics or does not end is told row by row.
func TestProcess(t *testing.T) {
	t.Parallel()
	ps := append(programs(),
		program{name: "panics", params: []string{"x"}, out: 1, call: `if a[0] > 1 { panic("too much") }; b[0] = a[0]`},
		program{name: "hangs", params: []string{"x"}, out: 1, call: "for a[0] == 2 {}; b[0] = a[0]"},
		program{name: "dies", params: []string{"x"}, out: 1, call: "var f func(int) int; f = func(n int) int { var wide [1 << 16]byte; wide[n] = 1; return f(n+1) + int(wide[0]) }; if a[0] == 2 { b[0] = float64(f(0)) } else { b[0] = a[0] }"})
	// The frames of the program that dies are wide, so that its stack is full
	// before it counts as hung, on a busy machine too.
	dir := t.TempDir()
	m, err := newModule(distribution(t), runtime.Version(), dir, ps)
	if err != nil {
		t.Fatal(err)
	}
	b := built{m, filepath.Join(dir, "programs.exe")}
	if err := m.build(t.Context(), b.binary, ""); err != nil {
		t.Fatal(err)
	}
	ask := func(name string, rows ...[]float64) []answer {
		t.Helper()
		p := b.process(name, 0)
		defer p.close()
		got, err := p.eval(t.Context(), rows)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return got
	}
	for _, test := range []struct {
		name string
		in   []float64
		want []float64
	}{
		{"sin", []float64{2}, []float64{math.Sin(2)}},
		{"log1p", []float64{2}, []float64{math.Log1p(2)}},
		{"arctan2", []float64{3, -1}, []float64{math.Atan2(3, -1)}},
		{"power", []float64{2, 3}, []float64{8}},
		{"floor", []float64{-1.5}, []float64{-2}},
		{"array_equal", []float64{1, 2, 1, 2}, []float64{1}},
		{"array_equal", []float64{1, 2, 2, 1}, []float64{0}},
		{"dot", []float64{1, 2, 3, 4}, []float64{11}},
		{"amax", []float64{1, 3, 2}, []float64{3}},
		{"amin", []float64{2, 1, 3}, []float64{1}},
		{"sort", []float64{3, 1, 2}, []float64{1, 2, 3}},
	} {
		got := ask(test.name, test.in)[0]
		if got.ending != done || len(got.out) != len(test.want) {
			t.Errorf("%s%v: %+v", test.name, test.in, got)
			continue
		}
		for i := range got.out {
			if math.Abs(got.out[i]-test.want[i]) > 1e-15*math.Abs(test.want[i]) {
				t.Errorf("%s%v = %v, want %v", test.name, test.in, got.out, test.want)
			}
		}
	}
	for name, ends := range map[string]ending{"panics": panicked, "hangs": hung, "dies": died} {
		got := ask(name, []float64{1}, []float64{2}, []float64{0.5})
		var endings []ending
		for _, a := range got {
			endings = append(endings, a.ending)
		}
		if want := []ending{done, ends, done}; !slices.Equal(endings, want) {
			t.Errorf("%s: rows end as %v, want %v", name, endings, want)
		}
	}
}
