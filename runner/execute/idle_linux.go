package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// idleness tells what a process, and those that it has started, have done so far, in a form that is the same as
// long as they do nothing. It reports false where one of their threads runs, or waits for a disk, and where the
// system does not tell.
func idleness(pid int) (string, bool) {
	process := filepath.Join("/proc", strconv.Itoa(pid), "task")
	threads, err := os.ReadDir(process)
	if err != nil || len(threads) == 0 {
		return "", false
	}
	done := strconv.Itoa(pid)
	for _, thread := range threads {
		stat, err := os.ReadFile(filepath.Join(process, thread.Name(), "stat"))
		// The name of the program stands in parentheses, and may contain others.
		_, behind, ok := cutLast(stat, ") ")
		fields := bytes.Fields(behind)
		if err != nil || !ok || len(fields) <= systemTime || string(fields[threadState]) != "S" {
			return "", false
		}
		done += " " + string(fields[userTime]) + "+" + string(fields[systemTime])
		children, err := os.ReadFile(filepath.Join(process, thread.Name(), "children"))
		if err != nil {
			return "", false
		}
		for _, child := range bytes.Fields(children) {
			n, err := strconv.Atoi(string(child))
			if err != nil {
				return "", false
			}
			of, ok := idleness(n)
			if !ok {
				return "", false
			}
			done += " (" + of + ")"
		}
	}
	return done, true
}

// Fields of /proc/PID/task/TID/stat behind the name, see proc(5). Times are in clock ticks.
const (
	threadState = 0
	userTime    = 11
	systemTime  = 12
)

// cutLast cuts at the last separator.
func cutLast(b []byte, sep string) (before, after []byte, found bool) {
	if i := bytes.LastIndex(b, []byte(sep)); i >= 0 {
		return b[:i], b[i+len(sep):], true
	}
	return b, nil, false
}
