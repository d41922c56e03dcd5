package keeper

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// watchEvery is how often a folder is counted. What is written meanwhile is
// limited by nothing else.
const watchEvery = 250 * time.Millisecond

// maxEntries stands for room used up by names alone.
const maxEntries = 500_000

// watch counts what the folders hold, and says so once it is more than room.
// Files that have no name any more, or that lie in folders that cannot be
// read, are not counted.
func watch(dirs []string, room uint64, excess chan<- string) {
	for {
		time.Sleep(watchEvery)
		used, entries := uint64(0), 0
		for _, dir := range dirs {
			b, n := usage(dir)
			used, entries = used+b, entries+n
		}
		switch {
		case used > room:
			excess <- fmt.Sprintf("more than %d MiB in its folders", room>>20)
			return
		case entries > maxEntries:
			excess <- fmt.Sprintf("more than %d files in its folders", maxEntries)
			return
		}
	}
}

func usage(dir string) (bytes uint64, entries int) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		entries++
		if err != nil {
			return nil
		}
		if entries > maxEntries {
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil {
			if stat, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += uint64(stat.Blocks) * 512
			}
		}
		return nil
	})
	return bytes, entries
}
