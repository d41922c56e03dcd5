package regular

import (
	"fmt"
	"io"
	"os"
)

// ReadFile reads a regular file of at most limit bytes. It follows no link in
// the last part of the name, and never waits for another process.
func ReadFile(name string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|dontWait|dontFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}
