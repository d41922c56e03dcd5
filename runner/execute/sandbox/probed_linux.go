package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/isodelta/isodelta/runner/execute/sandbox/keeper"
)

// probeArg, as the first argument, turns our own executable into the locked-in child of try.
const probeArg = "__isodelta-sandbox-probe"

func init() {
	if len(os.Args) < 2 || os.Args[1] != probeArg {
		return
	}
	if err := probe(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "isodelta: sandbox:", err)
		os.Exit(KeeperFailed)
	}
	os.Exit(0)
}

// What the locked-in child of try prints: what it found open, and at the end
// that all else is as it should be.
const (
	probeOpen   = "sandbox probe: open: "
	probePassed = "sandbox probe passed"
)

func verdict(output string) (open []Gap, passed bool) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if gap, ok := strings.CutPrefix(line, probeOpen); ok {
			open = append(open, Gap(gap))
		}
		passed = passed || line == probePassed
	}
	return open, passed
}

// probe is the work of the locked-in child of try. It returns what is not as it should be.
func probe(args []string) error {
	if len(args) == 1 && args[0] == "linger" {
		time.Sleep(time.Minute)
		return nil
	}
	if len(args) != 4 {
		return errors.New("probe: wrong number of arguments")
	}
	level, socketsOpen, dir := Level(args[0]), args[1] == "true", args[2]
	parent, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	inside, outside := filepath.Join(dir, "inside"), filepath.Join(dir, "outside")
	if err := errors.Join(writesInside(inside), writesInside(filepath.Join(dir, "temp")), writesOutside(outside), powerless()); err != nil {
		return err
	}
	if !socketsOpen {
		if err := socketsConfined(inside, outside); err != nil {
			return err
		}
	}
	if level != Landlock {
		if err := onlyLoopback(); err != nil {
			return err
		}
	}
	open := []Gap{}
	if changesAttributes(filepath.Join(outside, "keep")) {
		open = append(open, Attributes)
	}
	if level == Namespaces {
		if len(open) > 0 {
			return errors.New("can still change permissions of files outside")
		}
		if os.Getppid() != 1 {
			return errors.New("sees processes outside")
		}
	} else if syscall.Kill(parent, 0) == nil {
		open = append(open, Signals)
	}
	for _, gap := range open {
		fmt.Println(probeOpen + string(gap))
	}
	fmt.Println(probePassed)
	linger()
	return nil
}

func writesInside(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		return fmt.Errorf("cannot write inside: %w", err)
	}
	return nil
}

func writesOutside(dir string) error {
	keep := filepath.Join(dir, "keep")
	for _, attempt := range []struct {
		what string
		err  error
	}{
		{"create", os.WriteFile(filepath.Join(dir, "new"), nil, 0o600)},
		{"write", os.WriteFile(keep, []byte("changed"), 0o600)},
		{"remove", os.Remove(keep)},
	} {
		if attempt.err == nil {
			return fmt.Errorf("can still %s files outside", attempt.what)
		}
	}
	return nil
}

func changesAttributes(file string) bool {
	return os.Chmod(file, 0o640) == nil || os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)) == nil
}

// powerless checks that no capability is left.
func powerless() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		if (name == "CapEff" || name == "CapPrm") && strings.Trim(value, " \t\n0") != "" {
			return fmt.Errorf("still has capabilities: %s", strings.TrimSpace(value))
		}
	}
	return nil
}

// socketsConfined checks that sockets outside cannot be connected to, and that
// those inside can.
func socketsConfined(inside, outside string) error {
	folder, err := os.Open(outside)
	if err != nil {
		return err
	}
	defer folder.Close()
	if c, err := net.Dial("unix", socketIn(folder)); err == nil {
		c.Close()
		return errors.New("can still connect to sockets outside")
	}
	l, err := listenIn(inside)
	if err != nil {
		return fmt.Errorf("listen on a socket in the file system: %w", err)
	}
	return connects(l)
}

// socketIn names a socket in a folder, however long the folder's name is:
// addresses have room for 108 bytes.
func socketIn(folder *os.File) string { return fmt.Sprintf("/proc/self/fd/%d/socket", folder.Fd()) }

func listenIn(dir string) (net.Listener, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", socketIn(folder))
	if err != nil {
		folder.Close()
		return nil, err
	}
	return listener{l, folder}, nil
}

// listener keeps the folder open by which its socket is known.
type listener struct {
	net.Listener
	folder *os.File
}

func (l listener) Close() error { return errors.Join(l.Listener.Close(), l.folder.Close()) }

// linger leaves a process behind, which holds the output open.
func linger() {
	cmd := exec.Command("/proc/self/exe", probeArg, "linger")
	cmd.Stdout = os.Stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Start()
}

// onlyLoopback checks that a server on loopback can be reached, and that there
// is no interface that leads anywhere else.
func onlyLoopback() error {
	interfaces, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return fmt.Errorf("interface %s is still there", i.Name)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on loopback: %w", err)
	}
	return connects(l)
}

// connects checks that a server of our own can be reached, and closes it.
func connects(l net.Listener) error {
	defer l.Close()
	c, err := net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		return fmt.Errorf("connect to a server of one's own: %w", err)
	}
	return c.Close()
}

// limitsProcesses reports whether Policy.Processes has an effect.
func limitsProcesses(level Level) bool {
	return os.Geteuid() != 0 || level == Namespaces && keeper.CountsPerNamespace()
}

// allowance makes a limit for one target into one that the kernel compares with
// all processes and threads of the user, where it does so.
func allowance(level Level, most uint64) uint64 {
	if most == 0 || level == Namespaces || level == LandlockNetwork || os.Geteuid() == 0 {
		return most
	}
	return most + threadsOf(os.Geteuid())
}

func threadsOf(user int) uint64 {
	entries, _ := os.ReadDir("/proc")
	total := uint64(0)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if _, err := strconv.Atoi(entry.Name()); err != nil || !ok || int(stat.Uid) != user {
			continue
		}
		threads, _ := os.ReadDir(filepath.Join("/proc", entry.Name(), "task"))
		total += uint64(len(threads))
	}
	return total
}
