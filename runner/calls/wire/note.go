//go:build go1.21

package wire

import (
	"encoding/binary"
	"io"
)

// A note is what a test process keeps for the case that it dies: a file (see
// probe.Note) that it writes before whatever may end it, and that the parent reads
// afterwards. A test notes a call in place, a process that makes calls of our own a
// sequence. The parent believes nothing of it: tests can write to the file, too.

// MaxNote bounds a note, in bytes.
const MaxNote = 1 << 20

// NoteCall notes a call in place that begins: its key, 0 when all are through, and the
// number of the function's hook.
func NoteCall(w io.WriterAt, key uint64, hook int) {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], key)
	binary.LittleEndian.PutUint64(b[8:], uint64(hook))
	_, _ = w.WriteAt(b[:], 0)
}

// NotedCall returns what NoteCall wrote; the key is 0 where no call was under way.
func NotedCall(r io.ReaderAt) (key uint64, hook int) {
	var b [16]byte
	if _, err := r.ReadAt(b[:], 0); err != nil {
		return 0, 0
	}
	return binary.LittleEndian.Uint64(b[:]), int(binary.LittleEndian.Uint64(b[8:]))
}

// NoteSequence notes an encoded sequence that is run next.
func NoteSequence(w io.WriterAt, encoded []byte) {
	var size [4]byte
	binary.LittleEndian.PutUint32(size[:], uint32(len(encoded)))
	_, _ = w.WriteAt(append(size[:], encoded...), 0)
}

// NotedSequence returns what NoteSequence wrote, nil where there is nothing of the kind.
func NotedSequence(r io.ReaderAt) []byte {
	var head [4]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size == 0 || size > MaxNote-4 {
		return nil
	}
	b := make([]byte, size)
	if _, err := r.ReadAt(b, 4); err != nil {
		return nil
	}
	return b
}
