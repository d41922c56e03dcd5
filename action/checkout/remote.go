package checkout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/file"
	"github.com/go-git/go-git/v5/plumbing/transport/git"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/isodelta/isodelta/runner/revision"
)

// remote is where the checkout came from.
type remote struct {
	address     string // without user and password; "" for none
	credentials []transport.AuthMethod
	stored      bool // some of them lie in the checkout, not in Options

	client  transport.Transport
	auth    transport.AuthMethod // that the server took
	session transport.UploadPackSession
	adv     *packp.AdvRefs
}

// newRemote takes the remote called origin, or the workflow's repository where
// origin is not there or not of a kind that can be asked.
func newRemote(user *revision.Repository, o Options) *remote {
	own := ""
	if o.Server != "" && o.Repository != "" {
		own = strings.TrimSuffix(o.Server, "/") + "/" + o.Repository
	}
	for _, address := range []string{user.Setting("remote", "origin", "url"), own} {
		if r := remoteAt(address, user, o); r != nil {
			return r
		}
	}
	return &remote{}
}

func remoteAt(address string, user *revision.Repository, o Options) *remote {
	if filepath.IsAbs(address) {
		return &remote{address: address, client: file.DefaultClient, credentials: []transport.AuthMethod{nil}}
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil // user@host:path, too
	}
	switch u.Scheme {
	case "http", "https":
		list := credentials(user, u, o)
		if name := u.User.Username(); name != "" {
			password, _ := u.User.Password()
			list = slices.Insert(list, 0, transport.AuthMethod(&githttp.BasicAuth{Username: name, Password: password}))
		}
		_, password := u.User.Password()
		u.User = nil
		return &remote{address: u.String(), client: githttp.NewClient(nil), credentials: list, stored: password || holdsHeader(list)}
	case "git":
		return &remote{address: address, client: git.DefaultClient, credentials: []transport.AuthMethod{nil}}
	case "file":
		return &remote{address: address, client: file.DefaultClient, credentials: []transport.AuthMethod{nil}}
	}
	return nil
}

// connect opens a session and reads what the server advertises. A session over
// HTTP takes many requests, any other kind one.
func (r *remote) connect(ctx context.Context, again bool) error {
	if r.address == "" {
		return errNoRemote
	}
	if r.session != nil {
		if strings.HasPrefix(r.address, "http") || !again {
			return nil
		}
		r.session.Close()
		r.session = nil
	}
	endpoint, err := transport.NewEndpoint(r.address)
	if err != nil {
		return fmt.Errorf("the remote's address cannot be used: %s", oneLine(err.Error()))
	}
	tries := r.credentials
	if r.adv != nil {
		tries = []transport.AuthMethod{r.auth}
	}
	var first error
	for _, auth := range tries {
		session, err := r.client.NewUploadPackSession(endpoint, auth)
		if err != nil {
			return &serverError{err}
		}
		adv, err := session.AdvertisedReferencesContext(ctx)
		if err == nil {
			r.session, r.adv, r.auth = session, adv, auth
			return nil
		}
		session.Close()
		if first == nil {
			first = err
		}
		if !denied(err) {
			break
		}
	}
	if denied(first) {
		return fmt.Errorf("%s: %w", r.address, deniedError(first))
	}
	return fmt.Errorf("%s: %w", r.address, &serverError{first})
}

// deniedError keeps the kind of an error and leaves the server's page out.
func deniedError(err error) error {
	for _, kind := range []error{transport.ErrAuthenticationRequired, transport.ErrAuthorizationFailed, transport.ErrRepositoryNotFound} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

// references maps the names that the remote advertises to full hashes; the
// name of an annotated tag with ^{} behind it stands for the tagged commit.
func (r *remote) references(ctx context.Context) (map[string]string, error) {
	if err := r.connect(ctx, false); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for name, h := range r.adv.References {
		all[name] = h.String()
	}
	for name, h := range r.adv.Peeled {
		all[name+"^{}"] = h.String()
	}
	return all, nil
}

// tips are the hashes of all branches and tags, and of what pull requests are
// about, sorted.
func (r *remote) tips(ctx context.Context) ([]string, error) {
	refs, err := r.references(ctx)
	if err != nil {
		return nil, err
	}
	var tips []string
	for name, h := range refs {
		if strings.HasPrefix(name, "refs/") && !strings.HasSuffix(name, "^{}") {
			tips = append(tips, h)
		}
	}
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// request is what to fetch.
type request struct {
	wants   []string // full hashes of commits
	depth   int      // commits of history; 0 is all
	history bool     // the commits suffice, without their files
	have    string   // commit whose files need not be sent; "" for none
}

// fetch writes what the remote sends into the object directory of the bare
// repository dir, and returns the commits at which the history was cut.
func (r *remote) fetch(ctx context.Context, dir string, q request) (ends []string, err error) {
	if err := r.connect(ctx, true); err != nil {
		return nil, err
	}
	req, err := r.pack(q)
	if err != nil {
		return nil, err
	}
	answer, err := r.session.UploadPack(ctx, req)
	if err != nil {
		if denied(err) {
			return nil, deniedError(err)
		}
		return nil, &serverError{err}
	}
	defer answer.Close()
	store := filesystem.NewStorageWithOptions(osfs.New(dir), cache.NewObjectLRUDefault(), filesystem.Options{})
	err = packfile.UpdateObjectStorage(store, demultiplex(req.Capabilities, answer))
	if err != nil && !errors.Is(err, packfile.ErrEmptyPackfile) {
		return nil, &serverError{err}
	}
	for _, h := range answer.Shallows {
		ends = append(ends, h.String())
	}
	return ends, nil
}

// pack writes the request in the protocol's terms.
func (r *remote) pack(q request) (*packp.UploadPackRequest, error) {
	caps := r.adv.Capabilities
	req := packp.NewUploadPackRequestFromCapabilities(caps)
	byHash := caps.Supports(capability.AllowReachableSHA1InWant) || caps.Supports(capability.AllowTipSHA1InWant)
	for _, h := range q.wants {
		if !byHash && !r.advertises(h) {
			return nil, errByHash
		}
		req.Wants = append(req.Wants, plumbing.NewHash(h))
	}
	if q.depth > 0 && caps.Supports(capability.Shallow) {
		req.Depth = packp.DepthCommits(q.depth)
		if err := req.Capabilities.Set(capability.Shallow); err != nil {
			return nil, err
		}
		if q.have != "" {
			// Having its files does not mean having its history.
			req.Haves = []plumbing.Hash{plumbing.NewHash(q.have)}
			req.Shallows = req.Haves
		}
	}
	if q.history && caps.Supports(capability.Filter) {
		if err := req.Capabilities.Set(capability.Filter); err != nil {
			return nil, err
		}
		req.Filter = packp.FilterTreeDepth(0)
	}
	return req, nil
}

func (r *remote) advertises(h string) bool {
	for _, tip := range r.adv.References {
		if tip.String() == h {
			return true
		}
	}
	for _, tip := range r.adv.Peeled {
		if tip.String() == h {
			return true
		}
	}
	return false
}

// demultiplex takes the objects out of a stream that also carries the server's
// progress, which nobody needs.
func demultiplex(caps *capability.List, r io.Reader) io.Reader {
	switch {
	case caps.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, r)
	case caps.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, r)
	}
	return r
}
