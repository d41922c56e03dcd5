package execute

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// newNote makes a note in memory. Its size is sealed, so that a test cannot
// fill the memory with it.
func newNote(string) (note, error) {
	fd, err := unix.MemfdCreate("isodelta-note", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return note{}, os.NewSyscallError("memfd_create", err)
	}
	n := note{os.NewFile(uintptr(fd), "isodelta-note")}
	err = n.file.Truncate(wire.MaxNote)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL)
	}
	if err != nil {
		n.close()
	}
	return n, err
}
