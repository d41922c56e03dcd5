package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/isodelta/isodelta/internal/required"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// probesWithout probes as in a container that refuses some system calls.
func probesWithout(args []string) error {
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}}
	for _, arg := range args {
		number, err := strconv.ParseUint(arg, 10, 32)
		if err != nil {
			return err
		}
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(number), SkipTrue: 1},
			bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
	}
	raw, err := bpf.Assemble(append(program, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}))
	if err != nil {
		return err
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	runtime.LockOSThread()
	// Without root, a filter can only be set by what gains no privileges; setting it
	// hands that on to the other threads.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	argument := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&argument))); errno != 0 {
		return errno
	}
	f, err := sandbox.Probe(context.Background(), os.Args[0], sandbox.Policy{})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// A machine that lacks something gives the best of the rest, and what it gives
// says what is open.
func TestProbeWithout(t *testing.T) {
	t.Parallel()
	reached(t, sandbox.Namespaces)
	tests := []struct {
		what    string
		without []int
		level   sandbox.Level
		open    []sandbox.Gap
		closed  []sandbox.Gap
	}{
		{"nothing", []int{unix.SYS_ACCT}, sandbox.Namespaces, nil, []sandbox.Gap{sandbox.Network, sandbox.Sockets, sandbox.Attributes, sandbox.Outliving}},
		{"mounts", []int{unix.SYS_MOUNT}, sandbox.LandlockNetwork, []sandbox.Gap{sandbox.Attributes, sandbox.Filling}, []sandbox.Gap{sandbox.Network, sandbox.Sockets, sandbox.Outliving}},
		{"read-only mounts", []int{unix.SYS_MOUNT_SETATTR}, sandbox.LandlockNetwork, []sandbox.Gap{sandbox.Attributes}, []sandbox.Gap{sandbox.Network}},
		{"another's descriptors, as in Docker", []int{unix.SYS_PIDFD_GETFD}, sandbox.Namespaces, []sandbox.Gap{sandbox.Sockets}, []sandbox.Gap{sandbox.Network}},
		{"filters", []int{unix.SYS_SECCOMP}, sandbox.Namespaces, []sandbox.Gap{sandbox.Sockets}, []sandbox.Gap{sandbox.Writing, sandbox.Network}},
		{"Landlock", []int{unix.SYS_LANDLOCK_CREATE_RULESET}, sandbox.None, []sandbox.Gap{sandbox.Writing}, nil},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			args := []string{deedArg, "probes-without"}
			for _, number := range test.without {
				args = append(args, fmt.Sprint(number))
			}
			out, err := exec.Command(self(t), args...).Output()
			if err != nil {
				required.Skip(t, required.Sandbox, fmt.Sprintf("no filter can be set: %v: %s", err, out))
			}
			var f sandbox.Found
			if err := json.NewDecoder(bytes.NewReader(out)).Decode(&f); err != nil {
				t.Fatal(err)
			}
			if f.Level != test.level || f.Detail == "" {
				t.Errorf("%+v, want %s", f, test.level)
			}
			for _, gap := range test.open {
				if !slices.Contains(f.Open, gap) {
					t.Errorf("%s is not said to be open: %+v", gap, f)
				}
			}
			for _, gap := range test.closed {
				if slices.Contains(f.Open, gap) {
					t.Errorf("%s is said to be open: %+v", gap, f)
				}
			}
			t.Log(f.Detail)
		})
	}
}
