package githubtest

import (
	"archive/zip"
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// runs returns a workflow run, lists its artifacts, or runs it again.
func (s *Server) runs(w http.ResponseWriter, c *call) {
	level := "write"
	if c.Method == http.MethodGet {
		level = "read"
	}
	id := c.number("run_id")
	run := find(s.state.Runs, func(r Run) bool { return r.ID == id })
	switch {
	case forbid(w, c, level, "actions"):
	case run == nil:
		notFound(w)
	case strings.HasSuffix(c.path, "/artifacts"):
		s.artifacts(w, c, id)
	case c.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, s.runJSON(*run))
	case run.Status != "completed":
		writeError(w, http.StatusForbidden, "This workflow is already running", "")
	case strings.HasSuffix(c.path, "/rerun-failed-jobs"):
		if run.Conclusion == "success" {
			writeError(w, http.StatusForbidden, "This workflow run cannot be retried, it has no failed jobs", "")
			return
		}
		run.FailedReruns++
		s.again(w, run)
	default:
		run.Reruns++
		s.again(w, run)
	}
}

func (s *Server) again(w http.ResponseWriter, run *Run) {
	run.Attempt++
	run.Status, run.Conclusion = "queued", ""
	writeJSON(w, http.StatusCreated, map[string]any{})
}

func (s *Server) runJSON(r Run) map[string]any {
	v := s.check.sample("workflow-run", map[string]any{
		"id": r.ID, "run_attempt": r.Attempt, "workflow_id": r.Workflow, "event": r.Event, "status": r.Status, "conclusion": nil,
		"head_sha": r.Commit, "html_url": "https://github.example/" + s.state.Repository + "/actions/runs/" + itoa(r.ID),
	})
	if r.Conclusion != "" {
		v["conclusion"] = r.Conclusion
	}
	return v
}

// artifactsOf the run, those found outside of the state with numbers of their own.
func (s *Server) artifactsOf(run int64) []Artifact {
	var list []Artifact
	for _, a := range s.state.Artifacts {
		if a.Run == run {
			list = append(list, a)
		}
	}
	if s.opt.Find != nil {
		list = append(list, s.opt.Find(run)...)
	}
	return list
}

func (s *Server) artifacts(w http.ResponseWriter, c *call, run int64) {
	name := c.URL.Query().Get("name")
	var found []Artifact
	for _, a := range s.artifactsOf(run) {
		if name == "" || a.Name == name {
			found = append(found, a)
		}
	}
	list := []any{}
	for _, a := range page(s, w, c, found) {
		list = append(list, s.check.sample("artifact", map[string]any{
			"id": a.ID, "name": a.Name, "size_in_bytes": len(a.Zip), "expired": a.Expired,
			"archive_download_url": s.URL + "/repos/" + s.state.Repository + "/actions/artifacts/" + itoa(a.ID) + "/zip",
			"workflow_run":         map[string]any{"id": run},
		}))
	}
	writeJSON(w, http.StatusOK, map[string]any{"total_count": len(found), "artifacts": list})
}

// download sends to where the archive lies.
func (s *Server) download(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "actions") {
		return
	}
	a := s.artifact(c.number("artifact_id"))
	switch {
	case a == nil:
		notFound(w)
	case a.Expired:
		writeError(w, http.StatusGone, "Artifact has expired", "")
	default:
		w.Header().Set("Location", s.blobs.URL+"/"+itoa(a.ID)+".zip?signature=blob")
		w.WriteHeader(http.StatusFound)
	}
}

func (s *Server) artifact(id int64) *Artifact {
	if a := find(s.state.Artifacts, func(a Artifact) bool { return a.ID == id }); a != nil {
		return a
	}
	for _, r := range s.state.Runs {
		if a := find(s.artifactsOf(r.ID), func(a Artifact) bool { return a.ID == id }); a != nil {
			return a
		}
	}
	return nil
}

// serveBlob returns an archive to whoever knows its signed address. The store is
// another host, which must not learn the token.
func (s *Server) serveBlob(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" {
		s.violation("the token was sent to the store of artifacts")
	}
	if f := s.failure(r.Method, "/blob"+r.URL.Path); f != nil {
		wait(r, f.Delay)
		if f.Status != 0 || f.Drop {
			f.write(w)
			return
		}
	}
	id, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".zip"), 10, 64)
	s.mu.Lock()
	a := s.artifact(id)
	s.mu.Unlock()
	if err != nil || a == nil || r.URL.Query().Get("signature") == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	_, _ = w.Write(a.Zip)
}

// Zip packs files, given as name and content by turns, in that order.
func Zip(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		// Of an empty file there is nothing to compress, and a compressor is
		// a large thing for tests with a thousand of them.
		header := zip.FileHeader{Name: files[i], Method: zip.Deflate}
		if files[i+1] == "" {
			header.Method = zip.Store
		}
		w, err := z.CreateHeader(&header)
		if err != nil {
			panic(err) // writing to memory does not fail
		}
		_, _ = w.Write([]byte(files[i+1]))
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
