package execute

import (
	"os"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A note is a file in which a test process keeps what it has begun, see
// wire.NotedCall and wire.NotedSequence. It has no name, and the process inherits it
// (see probe.Note), so that the parent opens nothing in a folder that tests write to:
// there a pipe or a link to a device may stand in a file's place.
type note struct{ file *os.File }

func (n note) call() (key uint64, hook int) { return wire.NotedCall(n.file) }

func (n note) sequence() (encoded []byte, step int) { return wire.NotedSequence(n.file) }

func (n note) close() { n.file.Close() }
