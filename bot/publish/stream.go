package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/report/event"
)

// Bounds of what is read.
const (
	streamFile = "stream.jsonl" // in the artifact
	maxStream  = 64 << 20       // bytes, of one stream
	maxTotal   = 256 << 20      // bytes, of the streams of all shards
	maxShards  = 64
)

// noStream says that there is nothing to publish, without anybody's fault.
type noStream struct{ why string }

func (e *noStream) Error() string { return e.why }

// stream reads what the run left: one stream, or those of its shards.
func (j *Job) stream(ctx context.Context) (*event.Stream, error) {
	all, err := j.Client.Artifacts(ctx, j.Event.RunID)
	if err != nil {
		return nil, err
	}
	chosen := choose(all, j.Artifact)
	if len(chosen) == 0 {
		return nil, &noStream{fmt.Sprintf("run %d (%s) left no artifact called %s, nor one that begins with %s-", j.Event.RunID, j.Event.Conclusion, j.Artifact, j.Artifact)}
	}
	if len(chosen) > maxShards {
		return nil, fmt.Errorf("run %d has %d artifacts that begin with %s-, at most %d are read", j.Event.RunID, len(chosen), j.Artifact, maxShards)
	}
	var streams []*event.Stream
	left := int64(maxTotal)
	for _, a := range chosen {
		s, n, err := j.read(ctx, a, min(left, maxStream))
		if err != nil {
			return nil, err
		}
		left -= n
		streams = append(streams, s)
	}
	s := streams[0]
	if len(streams) > 1 || s.Config.Shard != "" {
		if s, err = event.Merge(streams...); err != nil {
			return nil, fmt.Errorf("the shards do not fit together: %w", err)
		}
	}
	return s, nil
}

// choose takes the artifact of that name; where there is none, those of shards,
// whose names begin with it.
func choose(all []bot.Artifact, name string) []bot.Artifact {
	if i := slices.IndexFunc(all, func(a bot.Artifact) bool { return a.Name == name }); i >= 0 {
		return all[i : i+1]
	}
	var shards []bot.Artifact
	for _, a := range all {
		if strings.HasPrefix(a.Name, name+"-") {
			shards = append(shards, a)
		}
	}
	return shards
}

// read validates one stream. One that was cut off is kept as far as it goes:
// it has no summary, so it is shown as incomplete.
func (j *Job) read(ctx context.Context, a bot.Artifact, limit int64) (*event.Stream, int64, error) {
	files, err := j.Client.Unpack(ctx, a, limit, streamFile)
	if err != nil {
		return nil, 0, err
	}
	text, ok := files[streamFile]
	if !ok {
		return nil, 0, fmt.Errorf("the artifact %q holds no %s; upload the action's output directory itself, not a folder above it", a.Name, streamFile)
	}
	s, err := event.ReadStream(bytes.NewReader(text), limit)
	if err != nil && (!errors.Is(err, event.ErrTruncated) || len(s.Versions) == 0) {
		return nil, 0, fmt.Errorf("%s in the artifact %q: %w", streamFile, a.Name, err)
	}
	s.Source = a.Name
	return s, int64(len(text)), nil
}
