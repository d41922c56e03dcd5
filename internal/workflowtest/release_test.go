package workflowtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// released is the version that most tests take from a release, as users do.
const released = "v0.0.9"

// releases stands for the web site that release assets are downloaded from.
type releases struct {
	url    string
	server *httptest.Server

	mu       sync.Mutex
	asked    int
	checksum string // instead of the right one, "" for that
}

// archive is a release's archive of this working tree, built once.
var archive = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "isodelta-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "isodelta")
	cmd := exec.Command("go", "build", "-o", binary,
		"-ldflags", "-s -w -X github.com/isodelta/isodelta/internal/command.stamped="+released, ".")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	b, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	// Packed in name only: each workflow unpacks it once more.
	gz, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	if err != nil {
		return nil, err
	}
	tw := tar.NewWriter(gz)
	err = tw.WriteHeader(&tar.Header{Name: "isodelta", Mode: 0o755, Size: int64(len(b))})
	if err != nil {
		return nil, err
	}
	if _, err := tw.Write(b); err != nil {
		return nil, err
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
})

// damage makes the checksum a wrong one.
func (r *releases) damage() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checksum = strings.Repeat("a", 64)
}

// requests is how many came in.
func (r *releases) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

func serveReleases(t *testing.T) *releases {
	t.Helper()
	packed, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	r := &releases{}
	name := fmt.Sprintf("isodelta_%s_%s_%s.tar.gz", released[1:], runtime.GOOS, runtime.GOARCH)
	folder := "/isodelta/isodelta/releases/download/" + released + "/"
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.asked++
		switch q.URL.Path {
		case folder + "checksums.txt":
			sum := sha256.Sum256(packed)
			want := hex.EncodeToString(sum[:])
			if r.checksum != "" {
				want = r.checksum
			}
			fmt.Fprintf(w, "%064d  isodelta_other.tar.gz\n%s  %s\n", 0, want, name)
		case folder + name:
			w.Write(packed)
		default:
			http.NotFound(w, q)
		}
	}))
	t.Cleanup(server.Close)
	r.server = server
	return r
}

// start serves under an address of its own.
func (r *releases) start() {
	r.server.Start()
	r.url = r.server.URL
}

// startAsGitHub serves under github.com, for the curl that has the environment
// it returns.
func (r *releases) startAsGitHub(t *testing.T) map[string]string {
	t.Helper()
	r.server.StartTLS()
	r.url = "https://github.com"
	home := t.TempDir()
	write(t, filepath.Join(home, ".curlrc"), fmt.Sprintf("insecure\nnoproxy = \"*\"\nconnect-to = \"github.com:443:%s\"\n", r.server.Listener.Addr()))
	return map[string]string{"CURL_HOME": home}
}

// archives is a repository of the action, of which runners get archives.
type archives struct {
	dir            string
	released, next string // commits: the release, and one after it
}

// newArchives has what of the action is needed to find a release, but nothing to
// build from.
func newArchives(t *testing.T) archives {
	t.Helper()
	a := archives{dir: t.TempDir()}
	git(t, a.dir, "init", "--quiet")
	for _, name := range []string{".gitattributes", ".release", "action.yml"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(a.dir, name), string(b))
	}
	git(t, a.dir, "add", ".")
	git(t, a.dir, "commit", "--quiet", "--message", "release")
	for _, tag := range []string{"v0", released, released + "-rc.1", "v0.0.x"} {
		git(t, a.dir, "tag", tag)
	}
	a.released = git(t, a.dir, "rev-parse", "HEAD")
	git(t, a.dir, "commit", "--quiet", "--allow-empty", "--message", "next")
	a.next = git(t, a.dir, "rev-parse", "HEAD")
	return a
}

// archive returns a folder with what a runner downloads of a commit.
func (a archives) archive(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "action.tar")
	git(t, a.dir, "archive", "--output", file, commit)
	if out, err := exec.Command("tar", "-xf", file, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return dir
}
