//go:build unix

package withheld_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/isodelta/isodelta/internal/withheld"
)

// TestMain makes the test binary a program that withholds: with deedArg it
// takes its environment and does one thing.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != deedArg {
		os.Exit(m.Run())
	}
	pid := os.Getpid()
	v := withheld.Take()
	switch os.Args[2] {
	case "show":
		first, _ := os.ReadFile("/proc/self/environ")
		fmt.Printf("pid %d\nget %s\nnames %q\nnow %q\nfirst %q\n", pid, v.Get("GITHUB_TOKEN"), v.Names(), os.Environ(), strings.Split(string(first), "\x00"))
		io.Copy(os.Stdout, os.Stdin)
		os.Exit(7)
	case "wait": // for a signal, after saying so
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		fmt.Println(<-c)
		os.Exit(5)
	case "read": // files of another process
		for _, file := range []string{"environ", "mem"} {
			f, err := os.Open("/proc/" + os.Args[3] + "/" + file)
			if err == nil && file == "environ" {
				_, err = io.ReadAll(f)
			}
			fmt.Println(file, err == nil)
		}
	}
}

const deedArg = "deed"

const secret = "ghs_0123456789abcdefABCDEF"

func deed(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(exe, append([]string{deedArg}, args...)...)
}

// The token is in none of the environments that others can see, and isodelta
// itself still knows it. Process, arguments, standard streams and exit status
// are those of one program.
func TestTake(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"GITHUB_TOKEN", "LANG"} { // known by name, known by value
		cmd := deed(t, "show")
		cmd.Env = []string{"PATH=/bin", "GITHUB_TOKEN=" + secret, name + "=" + secret, "SLACK_HOOK_URL=" + secret, "NO_COLOR=1"}
		cmd.Stdin = strings.NewReader("standard input\n")
		out, err := cmd.Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Fatalf("%v: %s", err, out)
		}
		lines := strings.Split(string(out), "\n")
		want := []string{fmt.Sprintf("pid %d", cmd.Process.Pid), "get " + secret,
			fmt.Sprintf("names %q", unique("GITHUB_TOKEN", name, "SLACK_HOOK_URL")), `now ["PATH=/bin" "NO_COLOR=1"]`}
		for i, w := range want {
			if lines[i] != w {
				t.Errorf("got %s, want %s", lines[i], w)
			}
		}
		if strings.Contains(lines[4], secret) || runtime.GOOS == "linux" && !strings.Contains(lines[4], "PATH=/bin") {
			t.Error(lines[4])
		}
		if lines[5] != "standard input" {
			t.Errorf("standard input is %q", lines[5:])
		}
	}
}

func unique(names ...string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// A marker that was not set by the first program withholds nothing less.
func TestTakeWithAForgedMarker(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("GITHUB_TOKEN=forged"); err != nil {
		t.Fatal(err)
	}
	for _, marker := range []string{"3", "4", "99", "-1", "x", ""} {
		cmd := deed(t, "show")
		cmd.Env = []string{"ISODELTA_WITHHELD=" + marker, "GITHUB_TOKEN=" + secret}
		cmd.ExtraFiles = []*os.File{file}
		out, _ := cmd.Output()
		if !strings.Contains(string(out), "get "+secret+"\n") || strings.Count(string(out), secret) != 1 {
			t.Errorf("%q: %s", marker, out)
		}
	}
}

// Nothing to withhold: the program is not started again, and works.
func TestTakeNothing(t *testing.T) {
	t.Parallel()
	cmd := deed(t, "show")
	cmd.Env = []string{"PATH=/bin"}
	out, _ := cmd.Output()
	if !strings.Contains(string(out), "names []\nnow [\"PATH=/bin\"]\n") {
		t.Errorf("%s", out)
	}
}

// A proxy's password is withheld from children's view and used by isodelta.
func TestTakeAProxy(t *testing.T) {
	t.Parallel()
	cmd := deed(t, "show")
	cmd.Env = []string{"https_proxy=http://u:" + secret + "@proxy.example"}
	out, _ := cmd.Output()
	_, now, _ := strings.Cut(string(out), "now ")
	now, first, _ := strings.Cut(now, "first ")
	if !strings.Contains(now, secret) || strings.Contains(first, secret) {
		t.Errorf("%s", out)
	}
}

func TestSignalsReachTheSecondProgram(t *testing.T) {
	t.Parallel()
	cmd := deed(t, "wait")
	cmd.Env = []string{"GITHUB_TOKEN=" + secret}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	if line, err := r.ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if line, _ := r.ReadString('\n'); line != "terminated\n" {
		t.Error(line)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 5 {
		t.Error(err)
	}
}

// Another process of the same user can read neither environment nor memory.
func TestConcealed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has /proc")
	}
	dir, err := os.MkdirTemp("", "withheld")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "program")
	if err := os.WriteFile(exe, program, 0o755); err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) *exec.Cmd {
		cmd := exec.Command(exe, append([]string{deedArg}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"GITHUB_TOKEN=" + secret}
		if os.Geteuid() == 0 { // who reads everything
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		return cmd
	}
	holder := start("wait")
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer holder.Wait()
	defer holder.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	got, err := start("read", fmt.Sprint(holder.Process.Pid)).Output()
	if err != nil || string(got) != "environ false\nmem false\n" {
		t.Errorf("%v: %s", err, got)
	}
}
