package keeper

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data. Arguments are 64 bits wide; the machines that
// we filter on have their lower half first.
const (
	callNumber = 0
	callArch   = 4
	argument0  = 16
	argument1  = 24
)

// newNamespace are the flags of clone and unshare that make namespaces. In a
// user namespace of its own a process would have all capabilities, and with
// them a much larger part of the kernel to attack.
const newNamespace = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// filterCalls refuses this thread, and what is started from it, system calls
// that lead around the other restrictions. With sockets, connections wait for
// [answerConnections], which gets the listener, and it is an error if they
// cannot. Otherwise listener is -1, and a machine that allows no filter, or
// whose calls we do not know, does without.
func filterCalls(sockets bool) (listener int, err error) {
	native, ok := machines()[runtime.GOARCH]
	if !ok {
		if sockets {
			return -1, fmt.Errorf("system calls of %s are not filtered", runtime.GOARCH)
		}
		return -1, nil
	}
	program, err := bpf.Assemble(native.filter(sockets))
	if err != nil {
		return -1, err
	}
	filter := make([]unix.SockFilter, len(program))
	for i, p := range program {
		filter[i] = unix.SockFilter{Code: p.Op, Jt: p.Jt, Jf: p.Jf, K: p.K}
	}
	flags := uintptr(0)
	if sockets {
		// Waiting without being disturbed by signals, or a call would be made
		// twice.
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	}
	argument := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&argument)))
	runtime.KeepAlive(filter)
	switch {
	case errno == 0 && sockets:
		return int(fd), nil
	case errno != 0 && sockets:
		return -1, fmt.Errorf("filter system calls: %w", errno)
	}
	// Without sockets the filter is one wall more behind Landlock's, and that
	// must not fall because a container allows no filter.
	return -1, nil
}

// machine is what a filter has to know of a processor architecture.
type machine struct {
	arch uint32
	// compat is the architecture of its 32-bit programs, and these are the
	// numbers of the system calls that they do without.
	compat        uint32
	compatRefused []uint32
	// foreign is where numbers begin that mean another kind of program; 0 for
	// nowhere.
	foreign uint32
}

func machines() map[string]machine {
	return map[string]machine{
		"amd64": {arch: unix.AUDIT_ARCH_X86_64, foreign: 0x40000000, // x32
			compat: unix.AUDIT_ARCH_I386,
			// socketcall, socket, socketpair, connect, unshare, setns, clone3, io_uring_setup, add_key, request_key, keyctl
			compatRefused: []uint32{102, 359, 360, 362, 310, 346, 435, 425, 286, 287, 288}},
		"arm64": {arch: unix.AUDIT_ARCH_AARCH64,
			compat: unix.AUDIT_ARCH_ARM,
			// socket, socketpair, connect, unshare, setns, clone3, io_uring_setup, add_key, request_key, keyctl
			compatRefused: []uint32{281, 288, 283, 337, 375, 435, 425, 309, 310, 311}},
	}
}

// filter is the program that the kernel runs at each system call.
func (m machine) filter(sockets bool) []bpf.Instruction {
	refuse := func(errno uint32) bpf.Instruction {
		return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | errno}
	}
	allow := bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

	var compat []bpf.Instruction
	compat = append(compat, bpf.LoadAbsolute{Off: callNumber, Size: 4})
	for _, number := range m.compatRefused {
		compat = append(compat, when(number, refuse(uint32(unix.ENOSYS)))...)
	}
	// clone has number 120 in both.
	compat = append(compat, when(120, refuseFlags(argument0, refuse(uint32(unix.EPERM)))...)...)
	compat = append(compat, allow)

	p := []bpf.Instruction{bpf.LoadAbsolute{Off: callArch, Size: 4}}
	p = append(p, when(m.compat, compat...)...)
	p = append(p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: m.arch, SkipTrue: 1}, bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS})
	p = append(p, bpf.LoadAbsolute{Off: callNumber, Size: 4})
	if m.foreign > 0 {
		p = append(p, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: m.foreign, SkipTrue: 1}, refuse(uint32(unix.ENOSYS)))
	}
	for _, number := range []uint32{
		unix.SYS_IO_URING_SETUP,                                 // makes sockets and connections past this filter
		unix.SYS_CLONE3,                                         // its flags stand in memory; libraries then use clone
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, // keys of the user's session
	} {
		p = append(p, when(number, refuse(uint32(unix.ENOSYS)))...)
	}
	for _, number := range []uint32{unix.SYS_SETNS, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN} {
		p = append(p, when(number, refuse(uint32(unix.EPERM)))...)
	}
	for _, number := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
		p = append(p, when(number, refuseFlags(argument0, refuse(uint32(unix.EPERM)))...)...)
	}
	// Typing into the terminal.
	p = append(p, when(unix.SYS_IOCTL,
		bpf.LoadAbsolute{Off: argument1, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: tiocLinux, SkipTrue: 1},
		refuse(uint32(unix.EPERM)),
		allow)...)
	p = append(p, when(unix.SYS_SOCKET, families(sockets, refuse(uint32(unix.EAFNOSUPPORT)), refuse(uint32(unix.EACCES)))...)...)
	if sockets {
		p = append(p, when(unix.SYS_SOCKETPAIR, connected(refuse(uint32(unix.EACCES)))...)...)
		p = append(p, when(unix.SYS_CONNECT, bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF})...)
	}
	return append(p, allow)
}

const tiocLinux = 0x541c // TIOCLINUX, which pastes into a console

// when runs then, which has to return, if what was loaded last is value.
func when(value uint32, then ...bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: value, SkipTrue: uint8(len(then))}}, then...)
}

// refuseFlags refuses calls that ask for a new namespace.
func refuseFlags(argument uint32, refusal bpf.Instruction) []bpf.Instruction {
	return []bpf.Instruction{
		bpf.LoadAbsolute{Off: argument, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: newNamespace, SkipTrue: 1},
		refusal,
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
	}
}

// families lets sockets be made that a network namespace or [answerConnections]
// confine. Others, such as those of virtual machines, reach past both.
func families(sockets bool, noFamily, noDatagrams bpf.Instruction) []bpf.Instruction {
	allow := bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	p := []bpf.Instruction{bpf.LoadAbsolute{Off: argument0, Size: 4}}
	for _, family := range []uint32{unix.AF_UNSPEC, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK} {
		p = append(p, when(family, allow)...)
	}
	local := []bpf.Instruction{allow}
	if sockets {
		local = connected(noDatagrams)
	}
	p = append(p, when(unix.AF_UNIX, local...)...)
	return append(p, noFamily)
}

// connected lets sockets be made that have to be connected before anything is
// sent. To others a path can be given with each message, which stands in
// memory, where this filter does not see it.
func connected(refusal bpf.Instruction) []bpf.Instruction {
	return []bpf.Instruction{
		bpf.LoadAbsolute{Off: argument1, Size: 4},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xf}, // the rest are flags
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_SEQPACKET, SkipTrue: 1},
		refusal,
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
	}
}
