// Package attempts does what a hostile pull request would put into a test. Each
// test says in a line of its output whether it succeeded, with what it has
// seen as proof where there is something to see.
package attempts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// outcome says how an attempt ended.
func outcome(proof string, err error) {
	if err != nil {
		fmt.Printf("\nOUTCOME refused: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("\nOUTCOME done: %s\n", strings.TrimSpace(proof))
}

func outside(name string) string { return filepath.Join(os.Getenv("ATTEMPT_OUTSIDE"), name) }

func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}

func TestWrite(*testing.T) {
	outcome("", os.WriteFile(outside("keep"), []byte("changed"), 0o600))
}

func TestRemove(*testing.T) { outcome("", os.RemoveAll(outside("keep"))) }

func TestTruncate(*testing.T) { outcome("", os.Truncate(outside("keep"), 0)) }

func TestChmod(*testing.T) { outcome("", os.Chmod(outside("keep"), 0o644)) }

func TestChown(*testing.T) { outcome("", os.Chown(outside("keep"), os.Getuid(), os.Getgid())) }

func TestTimes(*testing.T) {
	outcome("", os.Chtimes(outside("keep"), time.Unix(1, 0), time.Unix(1, 0)))
}

func TestAttribute(*testing.T) {
	outcome("", syscall.Setxattr(outside("keep"), "user.hostile", []byte("x"), 0))
}

func TestReadFile(*testing.T) {
	text, err := os.ReadFile(outside("secret"))
	outcome(string(text), err)
}

func TestReadOther(*testing.T) {
	text, err := os.ReadFile(outside("private"))
	outcome(string(text), err)
}

// TestOwnEnvironment shows all that this process was given.
func TestOwnEnvironment(*testing.T) {
	outcome(strings.Join(os.Environ(), " ")+" "+strings.Join(os.Args, " "), nil)
}

// TestEnvironment looks for a token in the processes above this one.
func TestEnvironment(*testing.T) {
	var failed error
	for _, pid := range []int{number("ATTEMPT_PARENT"), os.Getppid()} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if _, token, ok := bytes.Cut(text, []byte("GITHUB_TOKEN=")); ok {
			token, _, _ = bytes.Cut(token, []byte{0})
			outcome(string(token), nil)
			return
		}
		failed = errors.Join(failed, err)
	}
	outcome("", errors.Join(errors.New("no token"), failed))
}

func TestMemory(*testing.T) {
	process := fmt.Sprintf("/proc/%d/", number("ATTEMPT_PARENT"))
	maps, err := os.ReadFile(process + "maps")
	if err != nil {
		outcome("", err)
		return
	}
	start, _, _ := strings.Cut(string(maps), "-")
	address, err := strconv.ParseInt(start, 16, 64)
	if err != nil {
		outcome("", fmt.Errorf("no address in %q", start))
		return
	}
	f, err := os.Open(process + "mem")
	if err != nil {
		outcome("", err)
		return
	}
	_, err = f.ReadAt(make([]byte, 4), address)
	outcome("", err)
}

func TestTrace(*testing.T) {
	const seize = 0x4206
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PTRACE, seize, uintptr(number("ATTEMPT_VICTIM")), 0, 0, 0, 0)
	outcome("", fault(errno))
}

func fault(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func TestSignal(*testing.T) {
	outcome("", syscall.Kill(number("ATTEMPT_VICTIM"), syscall.SIGKILL))
}

// TestKeeper ends whoever watches over this process, and leaves another behind.
func TestKeeper(*testing.T) {
	keeper := os.Getppid()
	if keeper == number("ATTEMPT_PARENT") {
		outcome("", errors.New("there is none"))
		return
	}
	if err := daemon(); err != nil {
		outcome("", err)
		return
	}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", keeper))
	for _, thread := range threads {
		id, _ := strconv.Atoi(filepath.Base(thread))
		syscall.Syscall(syscall.SYS_TGKILL, uintptr(keeper), uintptr(id), uintptr(syscall.SIGKILL))
	}
	outcome("", syscall.Kill(keeper, syscall.SIGKILL))
}

// TestDaemon leaves a process behind that has no parent, group or session of
// this one.
func TestDaemon(*testing.T) { outcome("", daemon()) }

func daemon() error {
	sleep := fmt.Sprintf("(setsid sleep %s >/dev/null 2>&1 &) &", os.Getenv("ATTEMPT_SLEEP"))
	if err := exec.Command("/bin/sh", "-c", sleep).Run(); err != nil {
		return err
	}
	time.Sleep(200 * time.Millisecond)
	return nil
}

func TestTCP(*testing.T) { dial("tcp", os.Getenv("ATTEMPT_TCP")) }

func TestSocket(*testing.T) { dial("unix", os.Getenv("ATTEMPT_SOCKET")) }

// TestLinkedSocket goes by a name that is its own.
func TestLinkedSocket(*testing.T) {
	link := filepath.Join(os.TempDir(), "s")
	if err := os.Symlink(os.Getenv("ATTEMPT_SOCKET"), link); err != nil {
		outcome("", err)
		return
	}
	dial("unix", link)
}

func TestAbstractSocket(*testing.T) { dial("unix", os.Getenv("ATTEMPT_ABSTRACT")) }

func dial(network, address string) {
	c, err := net.DialTimeout(network, address, 5*time.Second)
	if err != nil {
		outcome("", err)
		return
	}
	c.SetDeadline(time.Now().Add(5 * time.Second))
	text, err := io.ReadAll(c)
	outcome(string(text), err)
}

// TestSwappedSocket changes the address between the check and the call, from a
// socket of its own to one outside.
func TestSwappedSocket(*testing.T) {
	own := filepath.Join(os.TempDir(), "o")
	l, err := net.Listen("unix", own)
	if err != nil {
		outcome("", err)
		return
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	mine, theirs := address(own), address(os.Getenv("ATTEMPT_SOCKET"))
	shared := mine
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				shared = theirs
				shared = mine
			}
		}
	}()
	defer close(stop)
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err != nil {
			outcome("", err)
			return
		}
		_, _, errno := syscall.Syscall(syscall.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&shared)), unsafe.Sizeof(shared))
		if errno == 0 {
			b := make([]byte, 100)
			if n, _ := syscall.Read(fd, b); n > 0 {
				outcome(string(b[:n]), nil)
				syscall.Close(fd)
				return
			}
		}
		syscall.Close(fd)
	}
	outcome("", errors.New("only ever its own"))
}

func address(path string) (a syscall.RawSockaddrUnix) {
	a.Family = syscall.AF_UNIX
	for i := range len(path) {
		a.Path[i] = int8(path[i])
	}
	return a
}

func TestDatagram(*testing.T) {
	c, err := net.Dial("unixgram", os.Getenv("ATTEMPT_DATAGRAM"))
	if err != nil {
		outcome("", err)
		return
	}
	_, err = c.Write([]byte("x"))
	outcome("", err)
}

// TestPair sends a datagram to a path from a socket that was made connected.
func TestPair(*testing.T) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
	if err == nil {
		err = syscall.Sendto(pair[0], []byte("x"), 0, &syscall.SockaddrUnix{Name: os.Getenv("ATTEMPT_DATAGRAM")})
	}
	outcome("", err)
}

func TestHypervisor(*testing.T) {
	const vsock = 40
	_, err := syscall.Socket(vsock, syscall.SOCK_STREAM, 0)
	outcome("", err)
}

func TestRing(*testing.T) {
	const setup = 425
	var parameters [120]byte
	_, _, errno := syscall.Syscall(setup, 4, uintptr(unsafe.Pointer(&parameters)), 0)
	outcome("", fault(errno))
}

func TestFill(*testing.T) {
	for i := range 48 {
		if err := os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprint(i)), make([]byte, 1<<20), 0o600); err != nil {
			outcome("", err)
			return
		}
	}
	time.Sleep(time.Second)
	outcome("", nil)
}

func TestFillNameless(*testing.T) {
	for i := range 48 {
		name := filepath.Join(os.TempDir(), fmt.Sprint(i))
		f, err := os.Create(name)
		if err != nil {
			outcome("", err)
			return
		}
		defer f.Close()
		os.Remove(name)
		if _, err := f.Write(make([]byte, 1<<20)); err != nil {
			outcome("", err)
			return
		}
	}
	time.Sleep(time.Second)
	outcome("", nil)
}

func TestHugeFile(*testing.T) {
	f, err := os.Create(filepath.Join(os.TempDir(), "huge"))
	if err == nil {
		_, err = f.WriteAt([]byte("x"), 12<<20)
	}
	outcome("", err)
}

const plenty = 768 << 20

func TestPrivateMemory(*testing.T) { allocate(syscall.MAP_PRIVATE) }

func TestSharedMemory(*testing.T) { allocate(syscall.MAP_SHARED) }

func allocate(kind int) {
	_, err := syscall.Mmap(-1, 0, plenty, syscall.PROT_READ|syscall.PROT_WRITE, kind|syscall.MAP_ANON)
	outcome("", err)
}

func TestReservedMemory(*testing.T) {
	reserved, err := syscall.Mmap(-1, 0, plenty, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		outcome("", err)
		return
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&reserved[0])), plenty,
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_FIXED, ^uintptr(0), 0)
	outcome("", fault(errno))
}

func TestCrowd(*testing.T) {
	for range 500 {
		cmd := exec.Command("/bin/sleep", "20")
		if err := cmd.Start(); err != nil {
			outcome("", err)
			return
		}
		defer cmd.Process.Kill()
	}
	outcome("", nil)
}

func TestMount(*testing.T) {
	outcome("", syscall.Mount("tmpfs", os.TempDir(), "tmpfs", 0, "size=4096"))
}

func TestUserNamespace(*testing.T) {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	outcome("", cmd.Run())
}

// TestHostName sets the name that the machine has.
func TestHostName(*testing.T) {
	name, err := os.Hostname()
	if err == nil {
		err = syscall.Sethostname([]byte(name))
	}
	outcome("", err)
}

func TestKeyring(*testing.T) {
	const getKeyring, session = 0, -3
	id := session
	_, _, errno := syscall.Syscall(keyctl, getKeyring, uintptr(id), 1)
	outcome("", fault(errno))
}

// TestForge answers for the probe: the test has passed.
func TestForge(*testing.T) {
	const size = 41
	record := make([]byte, 4+size)
	record[0] = size
	record[4] = 1 // to the first command
	os.NewFile(4, "results").Write(record)
	time.Sleep(20 * time.Second)
}

// TestBreak answers with what is no record.
func TestBreak(*testing.T) {
	os.NewFile(4, "results").Write(bytes.Repeat([]byte{0xff, 0, 0x13, 0x37}, 1000))
	time.Sleep(20 * time.Second)
}

// TestPipes puts pipes and links where the parent might look, and ends.
func TestPipes(*testing.T) {
	for i, name := range []string{".isodelta-call", "isodelta-program"} {
		path := filepath.Join(os.TempDir(), name)
		os.Remove(path)
		if i == 0 {
			syscall.Mkfifo(path, 0o600)
		} else {
			os.Symlink("/dev/zero", path)
		}
	}
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// TestLinks has the clean-up walk into links that lead outside.
func TestLinks(*testing.T) {
	os.Symlink(os.Getenv("ATTEMPT_OUTSIDE"), filepath.Join(os.TempDir(), "a"))
	locked := filepath.Join(os.TempDir(), "locked")
	os.Mkdir(locked, 0o700)
	os.Symlink(os.Getenv("ATTEMPT_OUTSIDE"), filepath.Join(locked, "b"))
	os.Chmod(locked, 0o500)
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}
