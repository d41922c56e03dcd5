//go:build !linux

package withheld

import "os"

// namelessFile is one whose name is taken away before anything is written.
func namelessFile() (*os.File, error) {
	f, err := os.CreateTemp("", "isodelta-environment-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func conceal() {}
