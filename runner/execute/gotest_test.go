package execute

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// A verdict needs a test that ran: whatever keeps it from running is an error,
// and whatever ends it early is no pass.
func TestVerdictsOfGoTest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds programs")
	}
	const head = "package m\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _, _ = fmt.Sprint, os.Exit, time.Now\n\n"
	dir, tmp := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "m_test.go")
	lab := &Lab{Level: sandbox.None, Env: os.Environ(), Tmp: tmp}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "go.mod"), "module m\n\ngo 1.21\n")
	write(file, head+`
func TestPass(t *testing.T)    { fmt.Print("no newline") }
func TestPassing(t *testing.T) { t.Error("another test") }
func TestFail(t *testing.T)    { t.Error("bad"); fmt.Println("--- PASS: TestFail (0.00s)") }
func TestPanic(t *testing.T)   { panic("boom") }
func TestSkip(t *testing.T)    { t.Skip("not today") }
func TestExit(t *testing.T)    { os.Exit(0) }
func TestHang(t *testing.T)    { time.Sleep(time.Hour) }
func TestSub(t *testing.T)     { t.Run("TestSub", func(t *testing.T) { t.Error("bad") }) }
func TestOther(t *testing.T)   { go func() { panic("elsewhere") }(); time.Sleep(time.Minute) }
`)
	write(filepath.Join(tmp, "overlay.json"), `{"Replace":{}}`)
	build := Build{Dir: dir, Package: "m", Out: filepath.Join(tmp, "m.test"), Overlay: filepath.Join(tmp, "overlay.json"), Env: os.Environ()}
	if err := Test(context.Background(), build); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test   string
		passed bool
		says   string // in the output or the error
		fails  bool
	}{
		{"TestPass", true, "no newline", false},
		{"TestFail", false, "bad", false},
		{"TestPanic", false, "boom", false},
		{"TestSub", false, "bad", false},
		{"TestOther", false, "elsewhere", false},
		{"TestExit", false, "", false},
		{"TestHang", false, "no end after", false},
		{"TestSkip", false, "skipped", true},
		{"TestNothing", false, "did not run", true},
	} {
		t.Run(c.test, func(t *testing.T) {
			limit := 20 * time.Second
			if c.test == "TestHang" {
				limit = time.Second
			}
			passed, output, err := lab.RunTest(context.Background(), Target{Binary: build.Out, Dir: dir, Test: c.test}, limit)
			if (err != nil) != c.fails || passed != c.passed {
				t.Errorf("passed %t, error %v, output:\n%s", passed, err, output)
			}
			all := output
			if err != nil {
				all += err.Error()
			}
			if !strings.Contains(all, c.says) || strings.Contains(all, testMarker) {
				t.Errorf("says %q", all)
			}
		})
	}
	for _, c := range []struct {
		tests string
		want  map[string]bool // nil where the run says nothing of each
	}{
		{"TestPass TestFail TestSub", map[string]bool{"TestPass": true, "TestFail": false, "TestSub": false}},
		{"TestPass", map[string]bool{"TestPass": true}},
		{"TestPanic TestSub", nil},
		{"TestPass TestExit", nil},
		{"TestPass TestSkip", nil},
		{"TestPass TestNothing", nil},
		{"TestPass TestHang", nil},
	} {
		t.Run(c.tests, func(t *testing.T) {
			passed, err := lab.RunTests(context.Background(), Target{Binary: build.Out, Dir: dir}, strings.Fields(c.tests), 2*time.Second)
			if err != nil || !maps.Equal(passed, c.want) || (passed == nil) != (c.want == nil) {
				t.Errorf("%v, %v, want %v", passed, err, c.want)
			}
		})
	}
}

// A folder of files in memory has another size than one on a disk: a test to paste meets both.
func TestTemporaryFilesAreWhereOthersHaveThem(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	found, err := sandbox.Probe(t.Context(), executable, sandbox.Policy{TempBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	dir, tmp := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, "go.mod"): "module m\n\ngo 1.21\n",
		filepath.Join(dir, "m_test.go"): `package m

import (
	"os"
	"syscall"
	"testing"
)

func TestDevice(t *testing.T) {
	var here, temporary syscall.Stat_t
	if err := syscall.Stat(".", &here); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Stat(os.TempDir(), &temporary); err != nil {
		t.Fatal(err)
	}
	if here.Dev != temporary.Dev {
		t.Errorf("%s is in another file system", os.TempDir())
	}
	if err := os.WriteFile(t.TempDir()+"/a", nil, 0o600); err != nil {
		t.Error(err)
	}
}
`,
		filepath.Join(tmp, "overlay.json"): `{"Replace":{}}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := Build{Dir: dir, Package: "m", Out: filepath.Join(tmp, "m.test"), Overlay: filepath.Join(tmp, "overlay.json"), Env: os.Environ()}
	if err := Test(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Executable: executable, Level: found.Level, Policy: found.Policy, Env: os.Environ(), Tmp: tmp}
	target := Target{Binary: build.Out, Dir: dir, Test: "TestDevice"}
	if target.Pristine, err = Pristine(tmp, dir); err != nil {
		t.Fatal(err)
	}
	if passed, output, err := lab.RunTest(t.Context(), target, time.Minute); !passed || err != nil {
		t.Errorf("in the package's folder: %v\n%s", err, output)
	}
	target.Pristine = ""
	if passed, output, err := lab.RunTest(t.Context(), target, time.Minute); (passed || err != nil) && found.Level == sandbox.Namespaces {
		t.Errorf("in memory: %v\n%s", err, output)
	}
}
