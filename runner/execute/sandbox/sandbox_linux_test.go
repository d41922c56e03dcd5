package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// TestMain makes the test binary its own keeper, and its own target: with
// deedArg it does one thing that the sandbox should allow or forbid.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == deedArg {
		if err := deeds[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Println("refused:", err)
			os.Exit(3)
		}
		fmt.Println("done")
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // children built with the race detector would each take a second to end
	os.Exit(m.Run())
}

const deedArg = "deed"

var deeds = map[string]func(args []string) error{
	"remove":   func(a []string) error { return os.RemoveAll(a[0]) },
	"write":    func(a []string) error { return os.WriteFile(a[0], []byte("changed"), 0o600) },
	"truncate": func(a []string) error { return os.Truncate(a[0], 0) },
	"rename":   func(a []string) error { return os.Rename(a[0], a[1]) },
	"link":     func(a []string) error { return os.Link(a[0], a[1]) },
	"symlink":  func(a []string) error { return os.Symlink(a[0], a[1]) },
	"mkdir":    func(a []string) error { return os.Mkdir(a[0], 0o700) },
	"list": func(a []string) error {
		entries, err := os.ReadDir(a[0])
		fmt.Println(entries)
		return err
	},
	"read": func(a []string) error {
		_, err := os.ReadFile(a[0])
		return err
	},
	"signal": func(a []string) error {
		pid, err := strconv.Atoi(a[0])
		if err != nil {
			return err
		}
		return syscall.Kill(pid, 0)
	},
	"own":   doByChild, // through a grandchild
	"serve": serve,
	"dial": func(a []string) error {
		c, err := net.DialTimeout(a[0], a[1], 5*time.Second)
		if err != nil {
			return err
		}
		// A datagram socket is connected without sending anything.
		if _, err := c.Write([]byte("x")); err != nil {
			return err
		}
		return c.Close()
	},
	"descriptors":    descriptors,
	"daemon":         daemon,
	"fill":           fill,
	"crowd":          crowd,
	"converse":       converse,
	"probes-without": probesWithout,
	"sleepers":       sleepers,
	"hold":           func([]string) error { time.Sleep(time.Minute); return nil },
	"limits": func([]string) error {
		var core syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &core); err != nil {
			return err
		}
		fmt.Println("core", core.Cur, core.Max)
		return nil
	},
	"ids": func([]string) error {
		fmt.Println("ids", os.Getuid(), os.Getgid())
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "Cap") {
				fmt.Print(line)
			}
		}
		return nil
	},
	// parent is a process that starts a sandboxed one and waits.
	"parent": func(a []string) error {
		cmd := sandbox.Command(context.Background(), sandbox.Level(a[0]), sandbox.Policy{MemoryBytes: 8 << 30}, os.Args[0], os.Args[0], deedArg, "hold")
		if err := cmd.Start(); err != nil {
			return err
		}
		fmt.Println(cmd.Process.Pid)
		return cmd.Wait()
	},
	"probes": func([]string) error {
		f, err := sandbox.Probe(context.Background(), os.Args[0], sandbox.Policy{})
		fmt.Println(f.Level, f.Detail, f.Open)
		return err
	},
	// concealed probes as a process that other processes must not read.
	"concealed": func([]string) error {
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
			return err
		}
		f, err := sandbox.Probe(context.Background(), os.Args[0], sandbox.Policy{})
		fmt.Println(f.Level, f.Detail, f.Open)
		if dumpable, _ := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); dumpable != 0 {
			return errors.New("it is dumpable now")
		}
		return err
	},
	"environment": func([]string) error {
		for _, e := range os.Environ() {
			fmt.Println(e)
		}
		return nil
	},
}

func doByChild(args []string) error {
	out, err := exec.Command(os.Args[0], append([]string{deedArg}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %s", err, out)
	}
	return nil
}

// serve listens on both loopback addresses and talks to itself.
func serve([]string) error {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			if strings.HasPrefix(address, "[") {
				continue // a machine without IPv6
			}
			return err
		}
		go func() {
			c, err := l.Accept()
			if err == nil {
				io.Copy(c, c)
			}
		}()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return err
		}
		fmt.Fprintln(c, "echo")
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || line != "echo\n" {
			return fmt.Errorf("got %q, %v", line, err)
		}
	}
	return nil
}

// descriptors answers on 4 what it reads from 3.
func descriptors([]string) error {
	b, err := io.ReadAll(os.NewFile(3, "in"))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.NewFile(4, "out"), "%s back", b)
	return err
}

// sleepers starts a process that would outlive it, says its id, and waits.
func sleepers([]string) error {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		return err
	}
	fmt.Println(cmd.Process.Pid)
	time.Sleep(time.Minute)
	return nil
}

func self(t testing.TB) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// possible tells once what this machine allows.
var possible = sync.OnceValue(func() sandbox.Level {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	found, err := sandbox.Probe(context.Background(), exe, sandbox.Policy{})
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(os.Stderr, "this machine allows %s: %s; open: %v\n", found.Level, found.Detail, found.Open)
	return found.Level
})

// reached skips a test whose level this machine does not allow, or fails it where
// a sandbox is required.
func reached(t testing.TB, want sandbox.Level) {
	t.Helper()
	levels := []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces}
	if level := possible(); slices.Index(levels, level) < slices.Index(levels, want) {
		required.Skip(t, required.Sandbox, fmt.Sprintf("this machine allows %s only, not %s", level, want))
	}
}

// do runs a deed and gives what it printed.
func do(t *testing.T, level sandbox.Level, p sandbox.Policy, deed ...string) (output string, err error) {
	t.Helper()
	cmd := sandbox.Command(t.Context(), level, p, self(t), self(t), append([]string{deedArg}, deed...)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), err
}

func TestProbe(t *testing.T) {
	t.Parallel()
	f, err := sandbox.Probe(t.Context(), self(t), sandbox.Policy{})
	if err != nil || f.Detail == "" || !slices.Contains(f.Open, sandbox.Reading) {
		t.Fatalf("%+v, error %v", f, err)
	}
	t.Logf("%+v", f)
	f, err = sandbox.Probe(t.Context(), self(t), sandbox.Policy{Network: true})
	if err != nil || f.Level != min(possible(), sandbox.Landlock) {
		t.Errorf("with the network left alone: %+v, error %v", f, err)
	}
	f, err = sandbox.Probe(t.Context(), self(t), sandbox.Policy{Off: true})
	if err != nil || f.Level != sandbox.None || f.Detail != "switched off" || !slices.Contains(f.Open, sandbox.Writing) {
		t.Errorf("switched off: %+v, error %v", f, err)
	}
}

// An executable whose main does not call Keeper must not pass for a sandbox.
func TestProbeOfAStranger(t *testing.T) {
	t.Parallel()
	stranger, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	if f, err := sandbox.Probe(t.Context(), stranger, sandbox.Policy{}); f.Level != sandbox.None || err != nil {
		t.Errorf("%+v, error %v; want none", f, err)
	}
	if _, err := sandbox.Probe(t.Context(), stranger, sandbox.Policy{Require: true}); err == nil {
		t.Error("a required sandbox that does not work is no error")
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	tests := []struct {
		deed    string
		allowed bool
		args    func(inside, outside string) []string
	}{
		{"read", true, func(in, out string) []string { return []string{out + "/keep"} }},
		{"remove", false, func(in, out string) []string { return []string{out + "/keep"} }},
		{"remove", false, func(in, out string) []string { return []string{out} }},
		{"write", false, func(in, out string) []string { return []string{out + "/keep"} }},
		{"write", false, func(in, out string) []string { return []string{out + "/new"} }},
		{"truncate", false, func(in, out string) []string { return []string{out + "/keep"} }},
		{"mkdir", false, func(in, out string) []string { return []string{out + "/new"} }},
		{"symlink", false, func(in, out string) []string { return []string{"keep", out + "/new"} }},
		{"rename", false, func(in, out string) []string { return []string{out + "/keep", in + "/taken"} }},
		{"rename", false, func(in, out string) []string { return []string{in + "/mine", out + "/keep"} }},
		{"link", false, func(in, out string) []string { return []string{out + "/keep", in + "/handle"} }},
		{"write", false, func(in, out string) []string { return []string{in + "/escape/keep"} }},
		{"own", false, func(in, out string) []string { return []string{"own", "remove", out + "/keep"} }},
		{"write", true, func(in, out string) []string { return []string{in + "/new"} }},
		{"remove", true, func(in, out string) []string { return []string{in + "/mine"} }},
		{"truncate", true, func(in, out string) []string { return []string{in + "/mine"} }},
		{"mkdir", true, func(in, out string) []string { return []string{in + "/new"} }},
		{"rename", true, func(in, out string) []string { return []string{in + "/mine", in + "/sub/mine"} }},
		{"own", true, func(in, out string) []string { return []string{"write", in + "/new"} }},
		{"write", true, func(in, out string) []string { return []string{"/dev/null"} }},
	}
	for i, test := range tests {
		t.Run(fmt.Sprintf("%d %s", i, test.deed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			inside, outside := filepath.Join(dir, "in side=ä"), filepath.Join(dir, "outside")
			for _, d := range []string{inside, outside, inside + "/sub"} {
				if err := os.Mkdir(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range []string{inside + "/mine", outside + "/keep"} {
				if err := os.WriteFile(f, []byte("text"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(outside, inside+"/escape"); err != nil {
				t.Fatal(err)
			}
			out, err := do(t, sandbox.Landlock, sandbox.Policy{Writable: []string{inside}}, append([]string{test.deed}, test.args(inside, outside)...)...)
			if test.allowed != (err == nil) {
				t.Errorf("allowed is %v, but: %v\n%s", test.allowed, err, out)
			}
			if err != nil && !strings.Contains(out, "refused:") {
				t.Errorf("the deed was not even tried: %s", out)
			}
			if text, err := os.ReadFile(outside + "/keep"); err != nil || string(text) != "text" {
				t.Errorf("the file outside now has %q, %v", text, err)
			}
			if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
				t.Errorf("entries outside: %v, %v", entries, err)
			}
		})
	}
}

// Some programs write to /tmp without asking for the temporary folder. They get a /tmp of their own, and nothing in the
// real one changes.
func TestSystemTemp(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Namespaces)
	kept, err := os.CreateTemp("/tmp", "isodelta-kept-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.Remove(kept.Name()) })
	if _, err := kept.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	kept.Close()
	added := kept.Name() + "-added"
	if out, err := do(t, sandbox.Namespaces, sandbox.Policy{}, "write", added); err != nil {
		t.Errorf("nothing can be added: %v\n%s", err, out)
	}
	if _, err := os.Lstat(added); !errors.Is(err, os.ErrNotExist) {
		os.Remove(added)
		t.Errorf("what was added is there for all: %v", err)
	}
	if out, err := do(t, sandbox.Namespaces, sandbox.Policy{}, "list", "/tmp"); err != nil || strings.Contains(out, filepath.Base(kept.Name())) {
		t.Errorf("what is not named is seen: %v\n%s", err, out)
	}
	for _, deed := range []string{"write", "remove", "truncate"} {
		out, err := do(t, sandbox.Namespaces, sandbox.Policy{}, deed, kept.Name())
		if err == nil || !strings.Contains(out, "refused:") {
			t.Errorf("%s: %v\n%s", deed, err, out)
		}
	}
	if text, err := os.ReadFile(kept.Name()); err != nil || string(text) != "text" {
		t.Errorf("the file now has %q, %v", text, err)
	}
}

// A name in /tmp may be a part of what a program is started with by chance, or as the beginning of another name: one that
// comes and goes meanwhile keeps nothing from starting.
func TestSystemTempChanges(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Namespaces)
	dir, err := os.MkdirTemp("/tmp", "isodelta-goes-")
	if err != nil {
		t.Skip(err)
	}
	file := dir + "1"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir); os.Remove(file) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for t.Context().Err() == nil {
			os.Remove(dir)
			os.Mkdir(dir, 0o700)
		}
	}()
	t.Cleanup(func() { <-ended })
	for range 40 {
		if out, err := do(t, sandbox.Namespaces, sandbox.Policy{}, "list", "/tmp", dir, file); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if out, err := do(t, sandbox.Namespaces, sandbox.Policy{}, "list", "/tmp", file); err != nil || strings.Contains(out, filepath.Base(dir)+"/") {
		t.Errorf("the beginning of a name is seen: %v\n%s", err, out)
	}
}

// The level "none" must be none, or the tests above prove nothing.
func TestNoneRestrictsNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := do(t, sandbox.None, sandbox.Policy{}, "remove", file); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is still there")
	}
}

func TestSignalsStayInside(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	f, err := sandbox.Probe(t.Context(), self(t), sandbox.Policy{Network: true})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(f.Open, sandbox.Signals) {
		required.Skip(t, required.Sandbox, "signals are free before Landlock ABI 6: "+f.Detail)
	}
	pid := strconv.Itoa(os.Getpid())
	if out, err := do(t, sandbox.None, sandbox.Policy{}, "signal", pid); err != nil {
		t.Fatalf("without a sandbox: %v: %s", err, out)
	}
	if out, err := do(t, sandbox.Landlock, sandbox.Policy{}, "signal", pid); err == nil || !strings.Contains(out, "refused:") {
		t.Errorf("a signal reached a process outside: %s", out)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.LandlockNetwork)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	address := l.Addr().String()
	if out, err := do(t, sandbox.Landlock, sandbox.Policy{}, "dial", "tcp", address); err != nil {
		t.Fatalf("the network is left alone, but: %v: %s", err, out)
	}
	// The loopback of the parent is another one.
	if out, err := do(t, sandbox.LandlockNetwork, sandbox.Policy{}, "dial", "tcp", address); err == nil || !strings.Contains(out, "refused:") {
		t.Errorf("reached a server of the parent: %v: %s", err, out)
	}
	// 192.0.2.1 is reserved for documentation; without a route nothing is sent.
	if out, err := do(t, sandbox.LandlockNetwork, sandbox.Policy{}, "dial", "udp", "192.0.2.1:9"); err == nil || !strings.Contains(out, "unreachable") {
		t.Errorf("reached the world: %v: %s", err, out)
	}
	if out, err := do(t, sandbox.LandlockNetwork, sandbox.Policy{}, "serve"); err != nil {
		t.Errorf("loopback does not work: %v: %s", err, out)
	}
}

// Whoever runs the tests looks the same inside and holds no capability, root
// included.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, level := range []sandbox.Level{sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			reached(t, level)
			want := fmt.Sprintf("ids %d %d\n", os.Getuid(), os.Getgid())
			for _, set := range []string{"Inh", "Prm", "Eff", "Bnd", "Amb"} {
				want += "Cap" + set + ":\t0000000000000000\n"
			}
			out, err := do(t, level, sandbox.Policy{}, "ids")
			if want += "done\n"; err != nil || out != want && os.Getuid() == 0 {
				t.Errorf("got:\n%swant:\n%s", out, want)
			}
		})
	}
}

func TestDescriptorsPassThrough(t *testing.T) {
	t.Parallel()
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			if level != sandbox.None {
				reached(t, level)
			}
			inRead, inWrite, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			outRead, outWrite, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd := sandbox.Command(t.Context(), level, sandbox.Policy{}, self(t), self(t), deedArg, "descriptors")
			cmd.ExtraFiles = []*os.File{inRead, outWrite}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			inRead.Close()
			outWrite.Close()
			io.WriteString(inWrite, "there and")
			inWrite.Close()
			if b, err := io.ReadAll(outRead); err != nil || string(b) != "there and back" {
				t.Errorf("got %q, %v", b, err)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEnvironmentAndDirectoryAreTheCallers(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	dir := t.TempDir()
	p := sandbox.Policy{Env: []string{"A=0", "A=1", "PWD=" + dir}}
	cmd := sandbox.Command(t.Context(), sandbox.Landlock, p, self(t), self(t), deedArg, "environment")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil || string(out) != "A=1\nPWD="+dir+"\ndone\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

// What stands in the target's environment must not run in the keeper, which is
// isodelta before it is restricted: GODEBUG would be obeyed by its run time, a
// preloaded library would run in it.
func TestKeeperHasNoEnvironmentOfOurs(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	p := sandbox.Policy{Env: []string{"GODEBUG=inittrace=1", "LD_PRELOAD=/evil.so"}}
	for _, level := range []sandbox.Level{sandbox.Landlock, sandbox.LandlockNetwork} {
		cmd := sandbox.Command(t.Context(), level, p, self(t), self(t))
		if !slices.Equal(cmd.Environ(), []string{"GORACE=atexit_sleep_ms=0"}) {
			t.Errorf("%s: the keeper is started with %q", level, cmd.Environ())
		}
	}
	target, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	// A keeper that obeyed GODEBUG would print a line for each package.
	out, err := sandbox.Command(t.Context(), sandbox.Landlock, sandbox.Policy{Env: p.Env[:1]}, self(t), target).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// A process that is not dumpable still gets the user namespaces that a user
// other than root needs, and is not dumpable afterwards.
func TestConcealedParent(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.LandlockNetwork)
	dir, err := os.MkdirTemp("", "concealed")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "program")
	if err := errors.Join(os.Chmod(dir, 0o777|os.ModeSticky), os.WriteFile(exe, program, 0o755)); err != nil {
		t.Fatal(err)
	}
	user := func(deed ...string) string {
		cmd := exec.Command(exe, append([]string{deedArg}, deed...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir)
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return string(out)
	}
	if plain, concealed := user("probes"), user("concealed"); plain != concealed {
		t.Errorf("a process that is not dumpable reaches\n%sanother\n%s", concealed, plain)
	}
}

func TestCancelKillsTheGroup(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	ctx, cancel := context.WithCancel(t.Context())
	cmd := sandbox.Command(ctx, sandbox.Landlock, sandbox.Policy{}, self(t), self(t), deedArg, "sleepers")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := readPid(t, out)
	if !alive(pid) {
		t.Fatal("the grandchild does not run")
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("the child ended by itself")
	}
	waitGone(t, pid)
}

func TestEndsWithItsParent(t *testing.T) {
	t.Parallel()
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			if level != sandbox.None {
				reached(t, level)
			}
			parent := exec.Command(self(t), deedArg, "parent", string(level))
			out, err := parent.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			pid := readPid(t, out)
			target := childOf(t, pid)
			parent.Process.Kill()
			parent.Wait()
			waitGone(t, pid)
			waitGone(t, target)
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	if out, err := do(t, sandbox.Landlock, sandbox.Policy{}, "limits"); err != nil || !strings.Contains(out, "core 0 0\n") {
		t.Errorf("core dumps: %v: %s", err, out)
	}
	dir := t.TempDir()
	file := sandbox.Policy{Writable: []string{dir}, FileBytes: 4}
	if out, err := do(t, sandbox.Landlock, file, "write", filepath.Join(dir, "file")); err == nil {
		t.Errorf("wrote more than 4 bytes: %s", out)
	}
	file.FileBytes = 1 << 10
	if out, err := do(t, sandbox.Landlock, file, "write", filepath.Join(dir, "file")); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	allocate := filepath.Join(t.TempDir(), "allocate")
	build := exec.Command("go", "build", "-o", allocate)
	build.Dir = filepath.Join("testdata", "allocate")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p := sandbox.Policy{MemoryBytes: 512 << 20}
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock} {
		if out, err := sandbox.Command(t.Context(), level, p, self(t), allocate, strconv.Itoa(64<<20)).CombinedOutput(); err != nil {
			t.Errorf("%s, below the limit: %v: %s", level, err, out)
		}
		if out, err := sandbox.Command(t.Context(), level, p, self(t), allocate, strconv.Itoa(1<<30)).CombinedOutput(); err == nil || strings.Contains(string(out), "allocated") {
			t.Errorf("%s, above the limit: %v: %.300s", level, err, out)
		}
	}
}

// A policy that cannot be enforced must not run the target without it.
func TestFailsClosed(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Landlock)
	file := filepath.Join(t.TempDir(), "file")
	out, err := do(t, sandbox.Landlock, sandbox.Policy{Writable: []string{file + "-missing"}}, "write", file)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != sandbox.KeeperFailed || !strings.Contains(out, "writable directory") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the target ran")
	}
}

// childOf waits until the keeper has started its target, which runs hold.
func childOf(t *testing.T, keeper int) int {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		stats, _ := filepath.Glob("/proc/[0-9]*/stat")
		for _, stat := range stats {
			text, _ := os.ReadFile(stat)
			_, after, _ := bytes.Cut(text, []byte(") "))
			args, _ := os.ReadFile(filepath.Join(filepath.Dir(stat), "cmdline"))
			if fields := strings.Fields(string(after)); len(fields) > 1 && fields[1] == strconv.Itoa(keeper) && bytes.HasSuffix(args, []byte(deedArg+"\x00hold\x00")) {
				pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
				if err != nil {
					t.Fatal(err)
				}
				return pid
			}
		}
	}
	t.Fatalf("the keeper %d has not started its target", keeper)
	return 0
}

func readPid(t *testing.T, r io.Reader) int {
	t.Helper()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// alive is false for a zombie that nobody has waited for.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); alive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d outlives its group", pid)
		}
	}
}

// BenchmarkStart measures what the sandbox adds to the start of a process.
func BenchmarkStart(b *testing.B) {
	target, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	for _, level := range []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces} {
		b.Run(string(level), func(b *testing.B) {
			if level != sandbox.None {
				reached(b, level)
			}
			p := sandbox.Policy{Writable: []string{b.TempDir()}}
			for b.Loop() {
				if err := sandbox.Command(b.Context(), level, p, self(b), target).Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
