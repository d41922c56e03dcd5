//go:build !linux

package execute

import "os"

// newNote makes a note in dir, and takes its name away before any test runs.
func newNote(dir string) (note, error) {
	f, err := os.CreateTemp(dir, "note-")
	if err != nil {
		return note{}, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return note{}, err
	}
	return note{f}, nil
}
