package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

// recordOf is the file that holds the last comparison made in a repository.
func recordOf(dir string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	repo, err := revision.Open(dir)
	if err != nil {
		return "", err
	}
	where := repo.Root()
	if where == "" {
		if where, err = filepath.Abs(dir); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256([]byte(where))
	return filepath.Join(cache, "isodelta", "runs", hex.EncodeToString(sum[:8])+".jsonl"), nil
}

// remember records a comparison for replay.
func remember(dir string, s *event.Stream) error {
	file, err := recordOf(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return writeOutput(output{"json", file}, s, nil)
}

// record is a recorded comparison.
type record struct {
	*event.Stream
	// own says that isodelta wrote it here. Another may hold code that somebody
	// else wrote, so none of it is run.
	own bool
}

// recall reads the stream named, else the last comparison made in the repository.
func recall(dir, from string) (record, error) {
	own := from == ""
	if own {
		file, err := recordOf(dir)
		if err != nil {
			return record{}, err
		}
		from = file
	}
	s, err := readStream(from)
	if errors.Is(err, os.ErrNotExist) && own {
		return record{}, usageError{errors.New("no comparison is recorded for this repository: run isodelta first, or name a stream with --from FILE")}
	}
	if err != nil {
		return record{}, err
	}
	return record{s, own}, nil
}

// finding finds one by the identifier of its cluster, for which the cluster's
// representative stands, or by its own; the beginning of either will do.
func (r record) finding(id string) (event.Finding, error) {
	found := named(r.Findings, id)
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return event.Finding{}, usageError{fmt.Errorf("no finding %s in the last comparison, which holds %d; a stream of another comparison is named with --from FILE", id, len(r.Findings))}
	}
	return event.Finding{}, usageError{fmt.Errorf("%s stands for %d findings; give more of the identifier", id, len(found))}
}

// relation finds one by its identifier or by the beginning of it, where no finding
// is called so.
func (r record) relation(id string) (event.Relation, bool) {
	if len(id) < 4 || len(named(r.Findings, id)) > 0 {
		return event.Relation{}, false
	}
	i := slices.IndexFunc(r.Relations, func(e event.Relation) bool { return strings.HasPrefix(e.ID, id) || strings.HasPrefix(e.Cause, id) })
	if i < 0 {
		return event.Relation{}, false
	}
	return r.Relations[i], true
}

// named are the findings that an identifier may mean. Identifiers of clusters go
// before those of single findings, and these before causes, which several
// clusters may share and of which the first one stands for all.
func named(findings []event.Finding, id string) []event.Finding {
	var clusters, single, causes []event.Finding
	for _, f := range findings {
		if len(id) < 4 {
			continue
		}
		if f.Representative && strings.HasPrefix(f.Cluster, id) {
			clusters = append(clusters, f)
		}
		if strings.HasPrefix(f.ID, id) {
			single = append(single, f)
		}
		if f.Representative && strings.HasPrefix(f.Cause, id) && !slices.ContainsFunc(causes, func(c event.Finding) bool { return c.Cause == f.Cause }) {
			causes = append(causes, f)
		}
	}
	switch {
	case len(clusters) > 0:
		return clusters
	case len(single) > 0:
		return single
	}
	return causes
}

// maxStream is how large a stream may be, and all streams of one command together.
const maxStream = 256 << 20

func readStream(file string) (*event.Stream, error) {
	streams, err := readStreams(file)
	if err != nil {
		return nil, err
	}
	return streams[0], nil
}

// readStreams reads several streams, which together may be as large as one.
func readStreams(files ...string) ([]*event.Stream, error) {
	var streams []*event.Stream
	left := int64(maxStream)
	for _, file := range files {
		s, n, err := readPart(file, left)
		if err != nil {
			return nil, err
		}
		left -= n
		streams = append(streams, s)
	}
	return streams, nil
}

func readPart(file string, limit int64) (*event.Stream, int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if info.Size() > limit {
		return nil, 0, fmt.Errorf("%s: the stream, with those before it, is %w (%d bytes)", file, event.ErrTooLarge, maxStream)
	}
	s, err := event.ReadStream(f, max(limit, 1))
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	s.Source = file
	return s, info.Size(), nil
}
