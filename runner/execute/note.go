package execute

import (
	"encoding/binary"
	"os"
)

// A note is what a test process keeps for the case that it dies: the call or
// the sequence of calls that it has begun. It is a file without a name that the
// process inherits (see probe.Note), so that the parent opens nothing in a
// folder that tests write to: there a pipe or a link to a device may stand in a
// file's place.
type note struct{ file *os.File }

// noteBytes bounds what the parent reads of a note.
const noteBytes = 1 << 20

// read returns the first n bytes; nil where there are fewer.
func (n note) read(size int) []byte {
	b := make([]byte, size)
	if _, err := n.file.ReadAt(b, 0); err != nil {
		return nil
	}
	return b
}

// call is the key of the harness's call that the process had begun, 0 if it was
// making none, and the number of the function's hook.
func (n note) call() (key uint64, hook int) {
	b := n.read(16)
	if b == nil {
		return 0, 0
	}
	return binary.LittleEndian.Uint64(b), int(binary.LittleEndian.Uint64(b[8:]))
}

// sequence is the encoded sequence that a process that makes calls of our own was
// running; nil if there was none.
func (n note) sequence() []byte {
	head := n.read(4)
	if head == nil {
		return nil
	}
	size := binary.LittleEndian.Uint32(head)
	if size == 0 || size > noteBytes-4 {
		return nil
	}
	if b := n.read(4 + int(size)); b != nil {
		return b[4:]
	}
	return nil
}

func (n note) close() { n.file.Close() }
