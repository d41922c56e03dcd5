package bot

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Artifact of a workflow run.
type Artifact struct {
	ID      int64
	Name    string
	Size    int64 // of the archive, in bytes
	Expired bool
}

// Artifacts lists those of a run by name. Of several with one name, which
// further attempts of the run make, it gives the last.
func (c *Client) Artifacts(ctx context.Context, runID int64) ([]Artifact, error) {
	newest := map[string]Artifact{}
	op := operation{fmt.Sprintf("list the artifacts of run %d", runID), "actions: read"}
	err := c.pages(ctx, op, func(ctx context.Context, page github.ListOptions) (bool, *github.Response, error) {
		list, resp, err := c.api.Actions.ListWorkflowRunArtifacts(ctx, c.owner, c.name, runID, &page)
		if err != nil {
			return false, resp, err
		}
		for _, a := range list.Artifacts {
			if a.GetID() >= newest[a.GetName()].ID {
				newest[a.GetName()] = Artifact{a.GetID(), a.GetName(), a.GetSizeInBytes(), a.GetExpired()}
			}
		}
		return true, resp, nil
	})
	var all []Artifact
	for _, a := range newest {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b Artifact) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

// Artifact returns the files of a run's artifact by name. limit bounds the
// archive and, apart from it, all that is unpacked, in bytes. Only files with
// the names wanted are unpacked (none: all, up to a hundred); files in folders
// never are. The error is a *NotFoundError where there is no such artifact and
// an *ArchiveError where its content is not to be trusted.
func (c *Client) Artifact(ctx context.Context, runID int64, name string, limit int64, wanted ...string) (map[string][]byte, error) {
	all, err := c.Artifacts(ctx, runID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(a Artifact) bool { return a.Name == name })
	if i < 0 {
		return nil, &NotFoundError{"read the artifact", fmt.Sprintf("run %d has none called %q", runID, name)}
	}
	return c.Unpack(ctx, all[i], limit, wanted...)
}

// Unpack is Artifact for one that was listed.
func (c *Client) Unpack(ctx context.Context, a Artifact, limit int64, wanted ...string) (map[string][]byte, error) {
	if a.Expired {
		return nil, &NotFoundError{"read the artifact", fmt.Sprintf("%q has expired; run the first workflow again", a.Name)}
	}
	if a.Size > limit {
		return nil, &ArchiveError{a.Name, fmt.Sprintf("the archive has %d bytes, %d are allowed", a.Size, limit)}
	}
	b, err := c.download(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	files, err := unpack(b, limit, wanted)
	if err != nil {
		return nil, &ArchiveError{a.Name, err.Error()}
	}
	return files, nil
}

// ArchiveError says that an artifact is not to be trusted.
type ArchiveError struct{ Name, Why string }

func (e *ArchiveError) Error() string {
	return fmt.Sprintf("the artifact %q is refused: %s", e.Name, e.Why)
}

// download returns the archive. GitHub sends to a store on another host, with a
// signature in the address; the token stays here.
func (c *Client) download(ctx context.Context, a Artifact, limit int64) ([]byte, error) {
	var at *url.URL
	op := operation{fmt.Sprintf("download the artifact %q", a.Name), "actions: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		at, resp, err = c.api.Actions.DownloadArtifact(ctx, c.owner, c.name, a.ID, 0)
		if err != nil && resp != nil {
			// go-github gives the status of this call only in words.
			err = &github.ErrorResponse{Response: resp.Response, Message: http.StatusText(resp.StatusCode)}
		}
		return resp, err
	})
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusGone {
		return nil, &NotFoundError{"read the artifact", fmt.Sprintf("%q has expired; run the first workflow again", a.Name)}
	}
	if err != nil {
		return nil, err
	}
	if at.Scheme != "https" && c.api.BaseURL.Scheme == "https" {
		return nil, fmt.Errorf("cannot %s: GitHub points to an address without TLS", op.doing)
	}
	return c.blob(ctx, op, at, limit)
}

func (c *Client) blob(ctx context.Context, op operation, at *url.URL, limit int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("cannot %s: %w", op.doing, err)
	}
	resp, err := c.plain.Do(req)
	if err != nil {
		var address *url.Error
		if errors.As(err, &address) {
			err = address.Err // the address holds a signature, which no log needs
		}
		return nil, fmt.Errorf("cannot %s: the store cannot be reached: %w", op.doing, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &StatusError{op.doing, resp.StatusCode, "from the store of artifacts"}
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot %s: %w", op.doing, err)
	}
	if int64(len(b)) > limit {
		return nil, &ArchiveError{strings.TrimSuffix(strings.TrimPrefix(op.doing, `download the artifact "`), `"`), fmt.Sprintf("the archive has more than the %d bytes allowed", limit)}
	}
	return b, nil
}

const (
	maxEntries  = 10_000 // of an archive
	maxUnpacked = 100    // files, where no names are wanted
)

// unpack reads the wanted files of an archive, at most limit bytes in all. The
// sizes that the archive states count for nothing.
func unpack(b []byte, limit int64, wanted []string) (map[string][]byte, error) {
	// Reading the directory costs memory for each entry, before anybody can
	// count them.
	if bytes.Count(b, []byte("PK\x01\x02")) > maxEntries {
		return nil, fmt.Errorf("the archive has more than %d entries", maxEntries)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // nothing is written below a path
		return nil, fmt.Errorf("it is no zip archive: %w", err)
	}
	files, left := map[string][]byte{}, limit
	for _, f := range z.File {
		if !wants(f.Name, wanted) {
			continue
		}
		if _, twice := files[f.Name]; twice {
			return nil, fmt.Errorf("the archive holds %q twice", f.Name)
		}
		if !f.Mode().IsRegular() {
			return nil, fmt.Errorf("%q is no regular file", f.Name)
		}
		if len(files) == maxUnpacked {
			return nil, fmt.Errorf("the archive holds more than %d files", maxUnpacked)
		}
		text, err := inflate(f, left)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Name, err)
		}
		left -= int64(len(text))
		files[f.Name] = text
	}
	return files, nil
}

func wants(name string, wanted []string) bool {
	if len(wanted) > 0 {
		return slices.Contains(wanted, name)
	}
	return name != "" && name[0] != '.' && !strings.ContainsAny(name, `/\:`)
}

func inflate(f *zip.File, limit int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("unpacked it has more than the %d bytes that are left of what is allowed", limit)
	}
	return text, err
}
