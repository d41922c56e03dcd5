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

// A noted sequence is its length, how far it is, and itself.
const (
	noteStep     = 4
	noteSequence = 5
)

// NoteSequence notes an encoded sequence that is run next.
func NoteSequence(w io.WriterAt, encoded []byte) {
	head := [noteSequence]byte{noteStep: NoCall}
	binary.LittleEndian.PutUint32(head[:], uint32(len(encoded)))
	_, _ = w.WriteAt(append(head[:], encoded...), 0)
}

// NoCall is noted where none of the sequence's calls is under way: what they gave is looked at.
const NoCall = 0xff

// NoteStep notes which step of the sequence runs now, or NoCall.
func NoteStep(w io.WriterAt, step int) {
	_, _ = w.WriteAt([]byte{byte(step)}, noteStep)
}

// NotedSequence returns what NoteSequence wrote, nil where there is nothing of the kind, and
// the step that NoteStep wrote, -1 for NoCall.
func NotedSequence(r io.ReaderAt) (encoded []byte, step int) {
	var head [noteSequence]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, -1
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size == 0 || size > MaxNote-noteSequence {
		return nil, -1
	}
	b := make([]byte, size)
	if _, err := r.ReadAt(b, noteSequence); err != nil {
		return nil, -1
	}
	if step = int(head[noteStep]); step == NoCall {
		step = -1
	}
	return b, step
}
