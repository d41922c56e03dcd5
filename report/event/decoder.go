package event

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
)

// maxLine bounds one line, in bytes. The longest honest lines are findings
// with two rendered values and summaries with explored branches.
const maxLine = 16 << 20

// ErrTruncated marks a stream whose last line was cut off in the middle, as an
// interrupted writer or an incomplete download leaves it.
var ErrTruncated = errors.New("the line is cut off in the middle; the run or the download was probably interrupted")

// ErrTooLarge marks a stream or a line that is larger than the reader allows.
var ErrTooLarge = errors.New("larger than allowed")

// A LineError says which line of a stream is wrong.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Skipped counts lines of a type that this version does not know. They come
// from a newer isodelta and are no error.
type Skipped struct {
	Type  string
	Line  int // of the first
	Lines int
}

// String is a sentence without a full stop.
func (s Skipped) String() string {
	lines := "lines"
	if s.Lines == 1 {
		lines = "line"
	}
	return fmt.Sprintf("%d %s of type %s, the first being line %d: written by a newer isodelta", s.Lines, lines, strconv.QuoteToASCII(s.Type), s.Line)
}

// Decoder reads a stream line by line. The stream is taken for hostile: sizes
// are bounded and every event is validated.
type Decoder struct {
	r       *bufio.Reader
	left    int64 // bytes, negative is no limit
	limit   int64
	line    int
	err     error
	codecs  []codec
	skipped []Skipped
}

// NewDecoder reads from r, at most limit bytes in all; 0 is no limit.
func NewDecoder(r io.Reader, limit int64) *Decoder {
	d := &Decoder{r: bufio.NewReaderSize(r, 64<<10), left: limit, limit: limit, codecs: codecs()}
	if limit <= 0 {
		d.left = -1
	}
	return d
}

// Next returns the next event, io.EOF at the end, or a *LineError. After an
// error it returns the same error again: what follows a damaged line is not
// read, since nobody knows what it was part of.
func (d *Decoder) Next() (Event, error) {
	for d.err == nil {
		line, err := d.readLine()
		whole := err == nil // it ended with a line feed
		if err != nil && err != io.EOF {
			d.err = err
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			e, lineErr := d.decode(line, whole)
			if lineErr != nil {
				d.err = &LineError{d.line, lineErr}
				break
			}
			if e != nil {
				if err == io.EOF {
					d.err = io.EOF
				}
				return e, nil
			}
		}
		if err == io.EOF {
			d.err = io.EOF
		}
	}
	return nil, d.err
}

// Skipped lists the unknown types met so far, in the order of their first line.
func (d *Decoder) Skipped() []Skipped { return append([]Skipped(nil), d.skipped...) }

// readLine returns a line without its line feed; io.EOF where the last one has
// none.
func (d *Decoder) readLine() ([]byte, error) {
	d.line++
	var line []byte
	for {
		part, err := d.r.ReadSlice('\n')
		if d.left >= 0 {
			if int64(len(part)) > d.left {
				return nil, &LineError{d.line, fmt.Errorf("the stream is %w (%d bytes)", ErrTooLarge, d.limit)}
			}
			d.left -= int64(len(part))
		}
		if len(line)+len(part) > maxLine {
			return nil, &LineError{d.line, fmt.Errorf("the line is %w (%d bytes)", ErrTooLarge, maxLine)}
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			return line, io.EOF
		}
		return nil, &LineError{d.line, fmt.Errorf("reading the stream: %w", err)}
	}
}

// decode returns nil and no error for a line of an unknown type.
func (d *Decoder) decode(line []byte, whole bool) (Event, error) {
	var head struct {
		Type    *string `json:"type"`
		Version int     `json:"version"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, damaged(err, whole)
	}
	if head.Type == nil {
		return nil, errors.New(`the "type" field is missing; is this a stream of isodelta?`)
	}
	if *head.Type == "config" && head.Version > Version {
		return nil, fmt.Errorf("the stream has format %d, this isodelta reads up to format %d; use a newer isodelta", head.Version, Version)
	}
	for _, c := range d.codecs {
		if c.name != *head.Type {
			continue
		}
		e, err := c.read(line)
		if err != nil {
			return nil, damaged(err, whole)
		}
		return e, Validate(e)
	}
	d.skip(*head.Type)
	return nil, nil
}

func (d *Decoder) skip(name string) {
	if len(name) > 40 {
		name = name[:40]
	}
	for i := range d.skipped {
		if d.skipped[i].Type == name {
			d.skipped[i].Lines++
			return
		}
	}
	const listed = 20 // types; a hostile stream may have as many as it has lines
	if len(d.skipped) == listed {
		return
	}
	d.skipped = append(d.skipped, Skipped{name, d.line, 1})
}

// damaged puts an error of encoding/json into words.
func damaged(err error, whole bool) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case !whole:
		return ErrTruncated
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON object (%v, after %d bytes)", err, syntax.Offset)
	case errors.As(err, &kind):
		wanted := kind.Type.String()
		if kind.Type.Kind() == reflect.String {
			wanted = "string" // whatever we call it
		}
		return fmt.Errorf("field %q holds a JSON %s, wanted %s", kind.Field, kind.Value, wanted)
	}
	return err
}

// readAll reads a whole stream of at most limit bytes (0 is no limit). With an error
// it still returns the events of the lines before, and the types that it skipped.
func readAll(r io.Reader, limit int64) ([]Event, []Skipped, error) {
	d := NewDecoder(r, limit)
	var events []Event
	var counter Counter // not read on where there are too many
	for {
		e, err := d.Next()
		if err == io.EOF {
			return events, d.Skipped(), nil
		}
		if err != nil {
			return events, d.Skipped(), err
		}
		if err := counter.Add(e); err != nil {
			return events, d.Skipped(), &LineError{d.line, err}
		}
		events = append(events, e)
	}
}
