package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Bounds of the streams that are read from a folder.
const (
	maxShards = 1000
	maxParts  = 256 << 20 // bytes, of all of them
)

// Merge reports what other jobs of this run compared: one stream, or those of
// shards, which it joins. They lie anywhere below dir, where the job downloaded
// their artifacts. It is the one that comments and makes the check. A shard that
// is missing, cut off or unreadable is named, and the whole is then incomplete. The
// streams are hostile, see judge; no checkout is needed.
func (j *Job) Merge(ctx context.Context, dir string) int {
	return j.report(ctx, func() (result, error) { return j.merge(ctx, dir) })
}

func (j *Job) merge(ctx context.Context, dir string) (result, error) {
	j.log.Group("Read the result")
	e, err := LoadEvent(j.Env)
	if err != nil {
		return result{}, err
	}
	parts, damaged, err := j.readShards(ctx, dir)
	if err != nil {
		return result{}, err
	}
	s, err := joinShards(parts, j.Env.Inputs.Shards)
	if err != nil {
		return result{}, err
	}
	if len(damaged) > 0 {
		incomplete(s, damaged...)
	}
	r := result{stream: s, event: e, foreign: true, annotated: len(parts) == 1 && parts[0].Config.Shard == ""}
	if r.reported, err = j.judge(ctx, e, s); err != nil {
		return result{}, err
	}
	j.acceptComments(ctx, r)
	return r, nil
}

// readShards reads every stream below dir. One that cannot be read to its end
// counts with what stands before; one of which nothing can be read is damaged.
func (j *Job) readShards(ctx context.Context, dir string) (parts []*event.Stream, damaged []event.Limit, err error) {
	files, err := streamFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, nil, fmt.Errorf("no stream is below %s: no job left a result. Look at the jobs that compare, and at the names of the artifacts that this one downloads", dir)
	}
	left := int64(maxParts)
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return nil, nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		info, err := os.Lstat(file)
		if err != nil {
			return nil, nil, err
		}
		if left -= info.Size(); left < 0 {
			return nil, nil, fmt.Errorf("the streams below %s are larger than %d MiB together: they are not read", dir, maxParts>>20)
		}
		s, err := readStream(file)
		if err != nil {
			j.log.Message(LevelWarning, fmt.Sprintf("%s: %v", name, err))
		}
		if s == nil || s.Config.Version == 0 {
			damaged = append(damaged, event.Limit{Type: "limit", Kind: event.LimitShard, What: cut(plain(name), 100), Reason: "its stream cannot be read"})
			continue
		}
		s.Source = name
		j.log.Line(fmt.Sprintf("%s: shard %s, %s", name, s.Config.Shard, s.Verdict()))
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return nil, nil, fmt.Errorf("none of the %d streams below %s can be read", len(files), dir)
	}
	return parts, damaged, nil
}

// streamFiles lists the streams below dir, sorted. Links are not followed.
func streamFiles(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && strings.HasSuffix(d.Name(), ".jsonl") {
			files = append(files, path)
		}
		if len(files) > maxShards {
			return fmt.Errorf("more than %d streams are below %s", maxShards, dir)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	slices.Sort(files)
	return files, err
}

func readStream(file string) (*event.Stream, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return event.ReadStream(f, maxParts)
}

// joinShards merges. The number of shards that there must be is what the
// workflow says, for the streams themselves may be of another division.
func joinShards(parts []*event.Stream, want int) (*event.Stream, error) {
	if len(parts) == 1 && parts[0].Config.Shard == "" && want <= 1 {
		return parts[0], nil // one job did it all
	}
	s, err := event.Merge(parts...)
	if err != nil {
		return nil, err
	}
	_, count, _ := strings.Cut(parts[0].Config.Shard, "/")
	if want > 0 && count != fmt.Sprint(want) {
		incomplete(s, event.Limit{Type: "limit", Kind: event.LimitShard, What: fmt.Sprintf("%d shards", want),
			Reason: fmt.Sprintf("the workflow says that there are %d, but the streams are of %s", want, count)})
	}
	return s, nil
}

// incomplete keeps a stream from being taken for whole.
func incomplete(s *event.Stream, why ...event.Limit) {
	s.Limits = append(s.Limits, why...)
	if s.Summary != nil {
		sum := *s.Summary
		sum.Verdict = event.Incomplete
		s.Summary = &sum
	}
}
