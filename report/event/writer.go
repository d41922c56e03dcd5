package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Writer is a Sink that writes JSON Lines: one event, one line, one Write.
// The caller need not set the Type fields.
type Writer struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewWriter makes a Writer on w. It does not buffer, so that whatever was
// emitted before a crash is in the file.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Emit writes e. After the first error it writes nothing more; see Err.
func (w *Writer) Emit(e Event) {
	line, err := Marshal(e)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	if err == nil {
		_, err = w.w.Write(line)
	}
	w.err = err
}

// Err returns the first error met. Who closes the underlying file asks for it.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Marshal renders e as one line, with its line feed.
func Marshal(e Event) ([]byte, error) {
	e, err := complete(e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the stream is no HTML; conditions hold < and & all the time
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("event of type %q cannot be written: %w", e.EventType(), err)
	}
	return b.Bytes(), nil
}
