package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxLinked bounds the test binaries that are kept for the next run, in bytes; a guess:
// what a few repositories of a hundred packages need.
const maxLinked = 1 << 30

// linked keeps test binaries from one run to the next. The go command keeps what it
// compiles, but nothing that it links; where it finds a binary that it would link again
// to the last bit, which the binary's build ID tells, it leaves it as it is.
type linked struct {
	dir string // "" keeps nothing
}

// file is where the binary of a name is kept. Of two runs with the same names the later
// one wins, and the go command looks into what it finds.
func (l linked) file(names ...string) string {
	h := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return filepath.Join(l.dir, "binaries", hex.EncodeToString(h[:16])+".test")
}

// restore puts what is kept where the go command will look for it. What goes wrong costs
// the time of linking.
func (l linked) restore(kept, out string) {
	if l.dir == "" {
		return
	}
	os.Remove(out)
	_ = placeFile(kept, out)
}

// keep keeps a binary. What goes wrong costs the next run the time of linking.
func (l linked) keep(out, kept string) {
	if l.dir == "" || os.MkdirAll(filepath.Dir(kept), 0o700) != nil {
		return
	}
	a, err := os.Stat(out)
	if err != nil {
		return
	}
	now := time.Now()
	if b, err := os.Stat(kept); err == nil && os.SameFile(a, b) {
		_ = os.Chtimes(kept, now, now)
		return
	}
	tmp := kept + ".new"
	os.Remove(tmp)
	if placeFile(out, tmp) != nil || os.Rename(tmp, kept) != nil {
		os.Remove(tmp)
	}
}

// placeFile gives a file a second name, or copies it where that cannot be done. The go
// command removes a binary before it writes another one, so neither changes the other.
func placeFile(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := cmp.Or(err, out.Close()); err != nil {
		os.Remove(to)
		return err
	}
	return nil
}

// prune removes the binaries that were used longest ago, until the others have at most
// max bytes.
func (l linked) prune(max int64) {
	if l.dir == "" {
		return
	}
	type old struct {
		name string
		size int64
		at   time.Time
	}
	var all []old
	dir := filepath.Join(l.dir, "binaries")
	list, _ := os.ReadDir(dir) // there may be none
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, old{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b old) int { return cmp.Or(b.at.Compare(a.at), strings.Compare(a.name, b.name)) })
	var total int64
	for _, o := range all {
		if total += o.size; total > max {
			os.Remove(o.name)
		}
	}
}
