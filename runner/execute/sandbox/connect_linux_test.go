package sandbox_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// converse is what tests with sockets of their own do: it has to go on working.
func converse(args []string) error {
	if err := os.Chdir(args[0]); err != nil {
		return err
	}
	folder, err := os.Open(".")
	if err != nil {
		return err
	}
	l, err := net.Listen("unix", "socket")
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, "hello")
			c.Close()
		}
	}()
	for _, address := range []string{"socket", "./socket", fmt.Sprintf("/proc/self/fd/%d/socket", folder.Fd())} {
		c, err := net.Dial("unix", address)
		if err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
		b := make([]byte, 10)
		if n, err := c.Read(b); err != nil || string(b[:n]) != "hello" {
			return fmt.Errorf("got %q, %v", b[:n], err)
		}
		c.Close()
	}
	if _, err := net.Dial("unix", "missing"); !errors.Is(err, syscall.ENOENT) {
		return fmt.Errorf("a socket that is not there: %v", err)
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	if _, err := syscall.Write(pair[0], []byte("x")); err != nil {
		return err
	}
	return serve(nil)
}

func TestOwnSocketsWork(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		confined(t)
		dir := t.TempDir()
		if out, err := do(t, level, sandbox.Policy{Temp: dir}, "converse", dir); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// confined skips where sockets cannot be closed.
func confined(t *testing.T) {
	f, err := sandbox.Probe(t.Context(), self(t), sandbox.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Policy.Sockets {
		required.Skip(t, required.Sandbox, "sockets stay open: "+f.Detail)
	}
}

// A socket of a daemon, such as Docker's, leads out of any sandbox.
func TestSocketsOutsideAreClosed(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		confined(t)
		dir := t.TempDir()
		outside, inside := filepath.Join(dir, "o"), filepath.Join(dir, "i")
		for _, d := range []string{outside, inside} {
			if err := os.Mkdir(d, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		l, err := net.Listen("unix", filepath.Join(outside, "s"))
		if err != nil {
			t.Skip(err) // a long name
		}
		defer l.Close()
		if err := os.Symlink(outside, filepath.Join(inside, "link")); err != nil {
			t.Fatal(err)
		}
		p := sandbox.Policy{Writable: []string{inside}}
		for _, path := range []string{filepath.Join(outside, "s"), filepath.Join(inside, "link", "s"), inside + "/../o/s"} {
			if out, err := do(t, level, p, "dial", "unix", path); err == nil || !strings.Contains(out, "permission denied") {
				t.Errorf("%s: %v: %s", path, err, out)
			}
		}
		p.Sockets = true
		if out, err := do(t, level, p, "dial", "unix", filepath.Join(outside, "s")); err != nil {
			t.Errorf("left open, but: %v: %s", err, out)
		}
		// Each message of a datagram socket may name another receiver.
		packets, err := net.ListenPacket("unixgram", filepath.Join(outside, "p"))
		if err != nil {
			t.Fatal(err)
		}
		defer packets.Close()
		p.Sockets = false
		if out, err := do(t, level, p, "dial", "unixgram", filepath.Join(outside, "p")); err == nil {
			t.Errorf("sent a datagram: %s", out)
		}
	})
}
