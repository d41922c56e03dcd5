package speed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

// states are those of the caches, in the order in which they are met.
var states = []string{"cold", "warm", "push"}

// measured is one comparison.
type measured struct {
	seconds   float64 // by the clock
	first     float64 // until the first difference was confirmed; 0 if none was
	busy      float64 // processor time over the time by the clock
	written   float64 // megabytes that the build cache has grown by
	phases    map[string]float64
	sum       event.Summary
	relations int // in the report
}

// measure makes one comparison, with what an earlier one in the same place left.
func measure(ctx context.Context, b binary, o settings, repository, place, state string) (measured, error) {
	var m measured
	cache, temp, out := filepath.Join(place, "build"), filepath.Join(place, "temp"), filepath.Join(place, "stream.jsonl")
	for _, dir := range []string{cache, temp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return m, err
		}
	}
	head := headRevision
	if state == "push" {
		head = pushRevision
	}
	args := append([]string{"-C", repository, "--budget", o.budget.String(), "--seed", strconv.FormatUint(o.seed, 10), "--output", "json=" + out}, o.flags...)
	cmd := exec.CommandContext(ctx, b.file, append(args, baseRevision, head)...)
	cmd.Env = append(os.Environ(), "GOCACHE="+cache, "XDG_CACHE_HOME="+filepath.Join(place, "cache"), "TMPDIR="+temp)
	before, err := size(cache)
	if err != nil {
		return m, err
	}
	began := time.Now()
	said, err := cmd.CombinedOutput()
	m.seconds = time.Since(began).Seconds()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return m, err
	}
	f, err := os.Open(out)
	if err != nil {
		return m, fmt.Errorf("%s wrote no stream:\n%s", b.name, said)
	}
	defer f.Close()
	s, err := event.ReadStream(f, 0)
	if err != nil {
		return m, err
	}
	if s.Summary == nil {
		return m, fmt.Errorf("%s did not come to its end:\n%s", b.name, said)
	}
	after, err := size(cache)
	if err != nil {
		return m, err
	}
	m.read(s)
	m.written = float64(after-before) / 1e6
	m.busy = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() / m.seconds
	return m, os.Remove(out)
}

// read takes figures from a stream.
func (m *measured) read(s *event.Stream) {
	m.sum, m.first, m.phases, m.relations = *s.Summary, s.Summary.FirstSeconds, map[string]float64{}, len(s.Relations)
	for _, p := range s.Phases {
		m.phases[p.Name] += p.Seconds
	}
}

// size adds up the files below a folder.
func size(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
