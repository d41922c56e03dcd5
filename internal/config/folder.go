package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder reads the files below a folder of this machine. Links are not followed
// to the file, and those on the way to it not out of the folder; a pipe does not
// make it wait.
func Folder(root string) Reader {
	return func(name string) ([]byte, error) {
		top, err := os.OpenRoot(root)
		if err != nil {
			return nil, err
		}
		defer top.Close()
		local := filepath.FromSlash(name)
		// What is no regular file is not opened: that alone can act, on a device.
		before, err := top.Lstat(local)
		if errors.Is(err, syscall.ENOTDIR) {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		if err != nil {
			return nil, err
		}
		if !before.Mode().IsRegular() {
			return nil, NotRegular(name)
		}
		f, err := top.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readOpen(f, name)
	}
}

// readRegular reads a file that may be reached over links.
func readRegular(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f, name)
}

// readOpen reads a regular file to its end, if that comes soon.
func readOpen(f *os.File, name string) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, NotRegular(name)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
