//go:build go1.21

package probe

import (
	"io"
	"os"
	"strings"
	"time"
)

// Streams of a process, as Outputs has them.
const (
	Stdout = iota
	Stderr
	Streams
)

// maxOutput bounds what is kept of what one call writes to a stream, in bytes.
const maxOutput = 64 << 10

// Outputs are files that take the place of the standard output and the standard error
// while a call runs, so that what it prints can be looked at. They take it for all who
// hold os.Stdout or os.Stderr, as the default logger does since the process began:
// the variables stay the same, and what they point to is exchanged.
type Outputs struct {
	files  [Streams]*os.File
	at     [Streams]*os.File
	before [Streams]os.File
}

// NewOutputs makes the files. Where that cannot be done nothing is looked at.
func NewOutputs() *Outputs {
	o := &Outputs{}
	for i := range o.files {
		o.files[i] = unnamed()
	}
	return o
}

// unnamed is a temporary file that nobody else finds; nil without one.
func unnamed() *os.File {
	f, err := os.CreateTemp("", "isodelta-output-")
	if err != nil {
		return nil
	}
	if os.Remove(f.Name()) != nil {
		f.Close()
		return nil
	}
	return f
}

// Begin exchanges the streams.
func (o *Outputs) Begin() {
	o.at = [Streams]*os.File{os.Stdout, os.Stderr}
	for i, to := range o.at {
		if to != nil && o.files[i] != nil {
			o.before[i] = *to
			*to = *o.files[i]
		}
	}
}

// End puts the streams back and returns what was written to them.
func (o *Outputs) End() (written [Streams]string) {
	for i := len(o.at) - 1; i >= 0; i-- { // both may be one file
		if o.at[i] != nil && o.files[i] != nil {
			*o.at[i] = o.before[i]
			written[i] = o.take(i)
		}
	}
	os.Stdout, os.Stderr = o.at[Stdout], o.at[Stderr]
	return written
}

// take empties a file.
func (o *Outputs) take(i int) string {
	f := o.files[i]
	n, err := f.Seek(0, io.SeekCurrent)
	if err != nil { // the call has closed it
		o.files[i] = unnamed()
		return ""
	}
	if n == 0 {
		return ""
	}
	b := make([]byte, min(n, maxOutput))
	k, _ := f.ReadAt(b, 0)
	if f.Truncate(0) != nil {
		o.files[i] = unnamed()
	}
	_, _ = f.Seek(0, io.SeekStart)
	return string(b[:k])
}

// NormalOutput returns what was written to a stream without what differs from process to
// process, or with each edit, for no reason that a user sees: the time at which it was
// written and, of the standard error, lines of source files, as loggers tell them.
func NormalOutput(stream int, s string) string {
	if s == "" {
		return s
	}
	s = normal(s)
	now := time.Now()
	for _, layout := range []string{"2006/01/02", "2006-01-02"} {
		s = maskTimes(s, now.Format(layout))
		s = maskTimes(s, now.UTC().Format(layout))
	}
	if stream == Stderr {
		s = maskAfter(s, goLine, "0123456789")
	}
	return s
}

// maskTimes replaces a date, and the time of day behind it.
func maskTimes(s, date string) string {
	if !strings.Contains(s, date) {
		return s
	}
	return maskAfter(strings.ReplaceAll(s, date, dateMask), dateMask, " T0123456789:.,Z+-")
}

const dateMask = "$DATE"

// maskAfter leaves out what follows a mark as long as it is made of some letters.
func maskAfter(s, mark, of string) string {
	parts := strings.Split(s, mark)
	for i := 1; i < len(parts); i++ {
		rest := strings.TrimLeft(parts[i], of)
		if rest != parts[i] && rest != "" && strings.HasSuffix(parts[i][:len(parts[i])-len(rest)], " ") {
			rest = " " + rest
		}
		parts[i] = rest
	}
	return strings.Join(parts, mark)
}
