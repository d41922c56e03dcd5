package keeper

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notice is struct seccomp_notif: a thread waits for its call to be answered.
type notice struct {
	id        uint64
	pid       uint32 // of the thread
	flags     uint32
	number    int32
	arch      uint32
	pointer   uint64
	arguments [6]uint64
}

// reply is struct seccomp_notif_resp.
type reply struct {
	id    uint64
	value int64
	error int32
	flags uint32
}

// connections is how many calls to connect are answered at a time.
const connections = 64

// answerConnections makes the target's calls to connect for it, if they are
// allowed. To look and then let the call go on would not do: what was looked at
// is in the memory of the target, which may change it meanwhile.
func answerConnections(listener int, r *restriction) {
	d := doorkeeper{own: realPaths(r.own()), abstract: r.namespaces}
	free := make(chan struct{}, connections)
	for {
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT { // the thread is gone
				continue
			}
			return
		}
		free <- struct{}{}
		go func() {
			defer func() { <-free }()
			answer := reply{id: n.id}
			if errno := d.connect(n); errno != 0 {
				answer.error = -int32(errno)
			}
			unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer)))
		}()
	}
}

// doorkeeper knows which sockets of the family AF_UNIX may be connected to.
type doorkeeper struct {
	own      []string // folders; links resolved
	abstract bool     // names without a file are the target's own
}

// connect makes the call that n tells of.
func (d doorkeeper) connect(n notice) unix.Errno {
	length := n.arguments[2]
	if length > unix.SizeofSockaddrAny {
		return unix.EINVAL
	}
	address := make([]byte, length)
	if length > 0 {
		local := unix.Iovec{Base: &address[0]}
		local.SetLen(len(address))
		remote := unix.RemoteIovec{Base: uintptr(n.arguments[1]), Len: len(address)}
		got, err := unix.ProcessVMReadv(int(n.pid), []unix.Iovec{local}, []unix.RemoteIovec{remote}, 0)
		if err != nil || got != len(address) {
			return unix.EFAULT
		}
	}
	fd, err := descriptorOf(n)
	if err != nil {
		return number(err)
	}
	defer unix.Close(fd)
	family, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return number(err)
	}
	if family == unix.AF_UNIX {
		return d.connectLocal(fd, address, n)
	}
	return connect(fd, address)
}

// connectLocal connects a socket of the family AF_UNIX.
func (d doorkeeper) connectLocal(fd int, address []byte, n notice) unix.Errno {
	const family = 2 // bytes, in front of the path
	if len(address) <= family {
		return unix.EINVAL
	}
	if address[family] == 0 {
		if d.abstract {
			return connect(fd, address)
		}
		return unix.ECONNREFUSED
	}
	path, _, _ := bytes.Cut(address[family:], []byte{0})
	socket, err := unix.Open(seenBy(n.pid, string(path)), unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return number(err)
	}
	defer unix.Close(socket)
	// Whatever happens to names from here on, this is the file that is meant.
	itself := fmt.Sprintf("/proc/self/fd/%d", socket)
	if name, err := os.Readlink(itself); err != nil || !d.owns(name) {
		return unix.EACCES
	}
	pinned := make([]byte, family, unix.SizeofSockaddrUnix)
	copy(pinned, address)
	return connect(fd, append(append(pinned, itself...), 0))
}

func (d doorkeeper) owns(name string) bool {
	for _, dir := range d.own {
		if name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return false
}

// seenBy is a name for the file that a thread knows as path.
func seenBy(thread uint32, path string) string {
	if rest, ok := strings.CutPrefix(path, "/proc/self/"); ok {
		return fmt.Sprintf("/proc/%d/%s", thread, rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return fmt.Sprintf("/proc/%d/cwd/%s", thread, path)
}

// descriptorOf returns the socket that the call is about.
func descriptorOf(n notice) (int, error) {
	group, err := groupOf(n.pid)
	if err != nil {
		return 0, err
	}
	process, err := unix.PidfdOpen(group, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(process)
	return unix.PidfdGetfd(process, int(int32(n.arguments[0])), 0)
}

// groupOf returns the process that a thread belongs to.
func groupOf(thread uint32) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", thread))
	if err != nil {
		return 0, unix.ESRCH
	}
	_, after, _ := bytes.Cut(status, []byte("\nTgid:"))
	var group int
	if _, err := fmt.Sscan(string(after), &group); err != nil {
		return 0, unix.ESRCH
	}
	return group, nil
}

func connect(fd int, address []byte) unix.Errno {
	var pointer unsafe.Pointer
	if len(address) > 0 {
		pointer = unsafe.Pointer(&address[0])
	}
	_, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(pointer), uintptr(len(address)))
	return errno
}

func number(err error) unix.Errno {
	if errno, ok := err.(unix.Errno); ok {
		return errno
	}
	return unix.EACCES
}

func realPaths(paths []string) []string {
	var all []string
	for _, path := range paths {
		if path, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, path)
		}
	}
	return all
}
