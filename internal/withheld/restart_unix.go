//go:build unix

package withheld

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// received reads what the first program handed over. again is false in the
// first one.
func received() (entries []string, again bool) {
	fd, err := strconv.Atoi(os.Getenv(marker))
	os.Unsetenv(marker)
	if err != nil || fd <= 2 {
		return nil, false
	}
	// Whoever started us may have set the variable: only a file that has no
	// name is ours.
	var stat syscall.Stat_t
	if syscall.Fstat(fd, &stat) != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFREG || stat.Nlink != 0 {
		return nil, false
	}
	f := os.NewFile(uintptr(fd), marker)
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, false
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == 0 }), true
}

// restart executes this program again with another environment, and returns
// only where that fails. Process id, arguments and open files stay.
func restart(kept, taken []string) {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	f, err := namelessFile()
	if err != nil {
		return
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(taken, "\x00")); err != nil {
		return
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return
	}
	fd, err := syscall.Dup(int(f.Fd())) // which stays open over exec
	if err != nil {
		return
	}
	defer syscall.Close(fd)
	syscall.Exec(exe, os.Args, append(kept, marker+"="+strconv.Itoa(fd)))
	runtime.KeepAlive(f)
}
