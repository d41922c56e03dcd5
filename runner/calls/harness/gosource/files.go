//go:build go1.21

package gosource

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// files writes down a file system in memory.
func (w *writer) files(l wire.Lit, t reflect.Type) string {
	seconds, list, ok := harness.FilesOf(l)
	if !ok {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	var entries []string
	for _, f := range list {
		entry := w.text(f.Name) + ": {Data: []byte(" + w.text(f.Content) + ")"
		if seconds != 0 {
			entry += ", ModTime: " + w.std("time") + "Unix(" + strconv.FormatInt(seconds, 10) + ", 0)"
		}
		entries = append(entries, entry+"}")
	}
	e := w.std("testing/fstest") + "MapFS{" + strings.Join(entries, ", ") + "}"
	if w.ServesFiles(t) {
		return w.std("net/http") + "FS(" + e + ")"
	}
	return e
}
