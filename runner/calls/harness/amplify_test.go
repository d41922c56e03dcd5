package harness_test

import (
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/probe"
)

const amplifyModule = `
-- go.mod --
module example.com/m

go 1.21
-- a.go --
package m

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Stack keeps its invariant in unexported fields.
type Stack struct {
	items []string
	depth int
}

func New(depth int) *Stack { return &Stack{depth: depth} }

func (s *Stack) Push(item string) error {
	if len(s.items) == s.depth {
		return errors.New("full: " + item)
	}
	s.items = append(s.items, item)
	return nil
}

func (s *Stack) Concat(other *Stack) int {
	for _, item := range other.items {
		if s.Push(item) != nil {
			break
		}
	}
	return len(s.items)
}

func (s *Stack) String() string {
	if s.depth > 3 {
		return "deep " + strings.Join(s.items, ",")
	}
	return strings.Join(s.items, ",")
}

func Loop(n int) int {
	sum := 0
	for i := 0; i != n; i++ {
		sum += i
	}
	return sum
}

func Fragile(list []int, at int) int { return list[at] }

func Noisy(name string) { fmt.Println("hello", name); fmt.Fprintln(os.Stderr, name) }

func Send(c chan int) { c <- 1 }

func ReadAll(r io.Reader) (string, error) {
	b, err := io.ReadAll(r)
	return string(b), err
}

type Config struct {
	Name   string
	Values map[string]int
	Nested []*Config
}

func Total(c *Config) int {
	n := 0
	if c == nil {
		return 0
	}
	for _, v := range c.Values {
		n += v
	}
	for _, x := range c.Nested {
		n += Total(x)
	}
	c.Name = strings.ToUpper(c.Name)
	return n
}

func Dangerous(n int) int {
	if n > 1000 {
		os.Exit(3)
	}
	return n
}
-- a_test.go --
package m

import (
	"strings"
	"testing"
)

func TestStack(t *testing.T) {
	a, b := New(2), New(5)
	if a.Push("x") != nil || a.Push("y") != nil || a.Push("z") == nil {
		t.Error("push")
	}
	if n := b.Concat(a); n != 2 || b.String() != "deep x,y" {
		t.Error(n, b)
	}
}

func TestPlain(t *testing.T) {
	if Loop(4) != 6 || Fragile([]int{1, 2, 3}, 1) != 2 {
		t.Error("plain")
	}
	c := make(chan int, 1)
	Send(c)
	if s, err := ReadAll(strings.NewReader("some text")); s != "some text" || err != nil {
		t.Error(s, err)
	}
	shared := &Config{Name: "in", Values: map[string]int{"a": 1}}
	if n := Total(&Config{Name: "out", Values: map[string]int{"b": 2, "c": 3}, Nested: []*Config{shared, shared}}); n != 7 || shared.Name != "IN" {
		t.Error(n, shared.Name)
	}
}

func TestDangerous(t *testing.T) {
	if Loop(2) != 1 || Dangerous(5) != 5 || Loop(3) != 3 {
		t.Error("five")
	}
}

func ExampleNoisy() {
	Noisy("you")
	// Output: hello you
}

type own struct{ r *strings.Reader }

func (o own) Read(b []byte) (int, error) {
	n, err := o.r.Read(b)
	if n > len(b) || Loop(1) != 0 {
		panic("impossible")
	}
	return n, err
}

func TestSubtests(t *testing.T) {
	for _, s := range []string{"a", "bc", ""} {
		t.Run(s, func(t *testing.T) {
			got, err := ReadAll(own{strings.NewReader(s)})
			if got != s || err != nil {
				t.Error(got, err)
			}
		})
	}
	t.Run("fails", func(t *testing.T) {
		if Loop(3) != 4 {
			t.Error("as it should")
		}
	})
}
-- register_test.go --
package m

import (
	"isodeltaprobe/harness"
	"isodeltaprobe/wire"
)

func init() { harness.Texts(wire.NearDiff, "zig", "zag") }
`

func TestAmplifying(t *testing.T) {
	t.Parallel()
	b := setUp(t, amplifyModule)
	t.Run("the test goes on undisturbed", func(t *testing.T) {
		for _, test := range []string{"TestStack", "TestPlain", "TestSubtests", "TestIsodelta_ExampleNoisy"} {
			b.undisturbed(t, test, 3)
		}
	})
	t.Run("what is called", b.callsWhatTestsReach)
	t.Run("same calls for a seed", b.sameForSeed)
	t.Run("calls that end the process", b.bansWhatEndsTheProcess)
	t.Run("explained", b.explains)
}

// undisturbed runs a test plainly and with amplification by turns and wants
// the same result each time.
func (b *bench) undisturbed(t *testing.T, test string, least int) {
	t.Helper()
	s := b.session(t, test)
	plain := do(t, s, execute.Command{})
	for seed := uint64(1); seed <= 3; seed++ {
		r := do(t, s, execute.Command{Watch: "amplify", Seed: seed, Most: 3000})
		if r.Outcome == event.Died || r.Outcome == event.Hung {
			t.Errorf("%s: %s %s\n%s", test, r.Outcome, r.Message, r.Output)
			return
		}
		calls, _, err := wire.DecodeCalls(r.Extra)
		if err != nil {
			t.Fatal(err)
		}
		if len(calls) < least {
			t.Errorf("%s: %d calls", test, len(calls))
		}
		r.Extra = nil
		if !reflect.DeepEqual(r, plain) {
			t.Errorf("%s: with amplification\n%+v\nwithout\n%+v", test, r, plain)
		}
		if again := do(t, s, execute.Command{}); !reflect.DeepEqual(again, plain) {
			t.Errorf("%s: after amplification\n%+v\nbefore\n%+v", test, again, plain)
		}
	}
}

func (b *bench) amplify(t *testing.T, test string, c execute.Command) ([]wire.Call, []wire.Ineligible) {
	t.Helper()
	c.Watch = "amplify"
	r := do(t, b.session(t, test), c)
	calls, left, err := wire.DecodeCalls(r.Extra)
	if err != nil {
		t.Fatalf("%s: %v (%s %s)", test, err, r.Outcome, r.Message)
	}
	return calls, left
}

func (b *bench) callsWhatTestsReach(t *testing.T) {
	calls, left := b.amplify(t, "TestPlain", execute.Command{Seed: 1})
	ends := map[string]map[probe.Ending]int{}
	inputs := map[uint64]bool{}
	for _, c := range calls {
		name := b.names[c.Hook]
		if ends[name] == nil {
			ends[name] = map[probe.Ending]int{}
		}
		ends[name][c.Ending]++
		if inputs[c.Key] {
			t.Errorf("%s: input %x twice", name, c.Key)
		}
		inputs[c.Key] = true
		want := map[string]int{"Loop": 1, "Fragile": 2, "ReadAll": 3, "Total": 2}[name]
		if c.Ending == probe.Returned && len(c.Components) != want {
			t.Errorf("%s: %d components, want %d", name, len(c.Components), want)
		}
	}
	if ends["Fragile"][probe.Panicked] == 0 || ends["Fragile"][probe.Returned] == 0 ||
		ends["Loop"][probe.Exhausted] == 0 || ends["ReadAll"][probe.Returned] < 5 || ends["Total"][probe.Returned] < 8 {
		t.Errorf("endings: %v", ends)
	}
	want := []wire.Ineligible{{Hook: b.hooks["Send"], Reason: "channel", Count: 1}}
	if !slices.Equal(left, want) {
		t.Errorf("left out %v, want %v", left, want)
	}
}

func (b *bench) sameForSeed(t *testing.T) {
	for _, test := range []string{"TestStack", "TestPlain"} {
		one, _ := b.amplify(t, test, execute.Command{Seed: 7})
		two, _ := b.amplify(t, test, execute.Command{Seed: 7})
		if !reflect.DeepEqual(one, two) {
			t.Errorf("%s: two processes differ", test)
		}
		other, _ := b.amplify(t, test, execute.Command{Seed: 8})
		if reflect.DeepEqual(one, other) {
			t.Errorf("%s: the seed changes nothing", test)
		}
		if few, _ := b.amplify(t, test, execute.Command{Seed: 7, Most: 10}); !reflect.DeepEqual(few, one[:len(few)]) || len(few) > 10 {
			t.Errorf("%s: a limit changes what is called", test)
		}
	}
}

// A call that ends the process can be left out, so that the rest goes on.
func (b *bench) bansWhatEndsTheProcess(t *testing.T) {
	s := b.session(t, "TestDangerous")
	var ban []uint64
	for range 30 {
		r := do(t, s, execute.Command{Watch: "amplify", Seed: 1, Ban: ban})
		if r.Outcome == event.Pass {
			calls, _, err := wire.DecodeCalls(r.Extra)
			if err != nil || len(ban) == 0 {
				t.Fatalf("banned %x: %v", ban, err)
			}
			name := map[string]int{}
			for _, c := range calls {
				name[b.names[c.Hook]]++
				if slices.Contains(ban, c.Key) {
					t.Errorf("banned %x was called", c.Key)
				}
			}
			if name["Dangerous"] == 0 || name["Loop"] < 3 {
				t.Errorf("calls: %v", name)
			}
			without, _ := b.amplify(t, "TestDangerous", execute.Command{Seed: 1, Ban: []uint64{wire.HookKey(b.hooks["Dangerous"])}})
			for _, c := range without {
				if b.names[c.Hook] == "Dangerous" {
					t.Error("a banned function was called")
				}
			}
			if len(without) != name["Loop"] {
				t.Errorf("%d calls without the banned function, want %d", len(without), name["Loop"])
			}
			return
		}
		if r.Outcome != event.Died || r.Key == 0 || r.Hook != b.hooks["Dangerous"] || slices.Contains(ban, r.Key) {
			t.Fatalf("%s, key %x of %s, banned %x: %s", r.Outcome, r.Key, b.names[r.Hook], ban, r.Message)
		}
		ban = append(ban, r.Key)
	}
	t.Errorf("banned %x and no end", ban)
}

func (b *bench) explains(t *testing.T) {
	calls, _ := b.amplify(t, "TestPlain", execute.Command{Seed: 3})
	var keys []uint64
	byKey := map[uint64]wire.Call{}
	for i, c := range calls {
		if i%5 == 0 {
			keys = append(keys, c.Key)
			byKey[c.Key] = c
		}
	}
	r := do(t, b.session(t, "TestPlain"), execute.Command{Watch: "explain", Seed: 3, Keys: keys})
	explained, err := wire.DecodeExplained(r.Extra)
	if err != nil {
		t.Fatal(err)
	}
	if len(explained) != len(keys) {
		t.Errorf("%d explained of %d", len(explained), len(keys))
	}
	whole := 0
	for _, x := range explained {
		c := byKey[x.Key]
		if x.Ending != c.Ending || len(x.Output) != len(c.Components) || x.Hook != c.Hook || x.Mutation != c.Mutation {
			t.Errorf("%+v explains %+v", x, c)
		}
		if x.Ending == probe.Panicked && x.Message == "" {
			t.Errorf("%+v: no message", x)
		}
		args, all, err := x.Literals()
		if err != nil || len(args) != len(x.Input) {
			t.Errorf("%v literals: %v", args, err)
		}
		if all {
			whole++
		}
	}
	if whole < len(explained)/2 {
		t.Errorf("only %d of %d calls can be written down", whole, len(explained))
	}
}

// Two versions make the same calls on the same inputs; what a change does
// that no test sees shows in some of them, and only in the functions concerned.
func TestAmplifyingFindsWhatTestsMiss(t *testing.T) {
	t.Parallel()
	head := amplifyModule
	for _, change := range [][2]string{
		{"n += v\n", "n += max(v, 0)\n"},
		{"return list[at]", "return list[at%len(list)]"},
		{"go 1.21\n", "go 1.26\n"},
	} {
		if !strings.Contains(head, change[0]) {
			t.Fatalf("nothing to change: %q", change[0])
		}
		head = strings.Replace(head, change[0], change[1], 1)
	}
	b, h := setUp(t, amplifyModule), setUp(t, head)
	differing := map[string]int{}
	both := 0
	tests := []string{"TestStack", "TestPlain"}
	for i := range 8 {
		test, seed := tests[i%2], uint64(i)
		one, _ := b.amplify(t, test, execute.Command{Seed: seed})
		two, _ := h.amplify(t, test, execute.Command{Seed: seed})
		byKey := map[uint64]wire.Call{}
		for _, c := range one {
			byKey[c.Key] = c
		}
		for _, c := range two {
			if x, ok := byKey[c.Key]; ok {
				both++
				if x.Ending != c.Ending || !reflect.DeepEqual(x.Components, c.Components) {
					differing[b.names[c.Hook]]++
				}
			}
		}
		if len(one) != len(two) {
			t.Errorf("%s: %d calls and %d", test, len(one), len(two))
		}
	}
	if differing["Total"] == 0 || differing["Fragile"] == 0 || len(differing) != 2 {
		t.Errorf("differing of %d calls: %v", both, differing)
	}
}

// distribution are packages of the Go distribution that stand alone, to see
// that their own suites do not notice.
var distribution = []struct {
	path  string
	tests []string
}{
	{"encoding/csv", []string{"TestRead", "TestWrite"}},
	{"text/tabwriter", []string{"Test", "TestPanicDuringFlush"}},
	{"container/heap", []string{"Test", "TestFix"}},
}

// Under the seeded run time, tests that draw random numbers draw the same
// whatever our own calls drew.
func TestSuitesOfTheDistributionAreUndisturbed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds programs and the run time")
	}
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	patch, err := deterministic.Overlay(build.Default.GOROOT, strings.TrimSpace(string(version)), t.TempDir())
	if errors.Is(err, deterministic.ErrUnsupported) {
		required.Skip(t, required.Seeded, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range distribution {
		t.Run(c.path, func(t *testing.T) {
			archive := &txtar.Archive{Files: []txtar.File{
				{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
			}}
			names, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(c.path), "*.go"))
			if err != nil || len(names) == 0 {
				t.Fatal(names, err)
			}
			pkg := ""
			for _, name := range names {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(b), "package "+filepath.Base(c.path)+"\n") {
					pkg = filepath.Base(c.path)
				}
				text := strings.ReplaceAll(string(b), fmt.Sprintf("%q", c.path), `"example.com/m"`)
				archive.Files = append(archive.Files, txtar.File{Name: filepath.Base(name), Data: []byte(text)})
			}
			archive.Files = append(archive.Files, txtar.File{Name: "register_test.go", Data: []byte(
				"package " + pkg + "\n\nimport _ \"isodeltaprobe/harness\"\n")})
			b := setUpSeeded(t, string(txtar.Format(archive)), patch)
			for _, test := range c.tests {
				b.undisturbed(t, test, 1)
			}
		})
	}
}
