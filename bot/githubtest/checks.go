package githubtest

import (
	"net/http"
	"strconv"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// checkInput is what creating and updating take.
type checkInput struct {
	Name       *string `json:"name"`
	HeadSHA    string  `json:"head_sha"`
	DetailsURL *string `json:"details_url"`
	ExternalID *string `json:"external_id"`
	Status     *string `json:"status"`
	Conclusion *string `json:"conclusion"`
	Output     *struct {
		Title       string       `json:"title"`
		Summary     string       `json:"summary"`
		Text        string       `json:"text"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

// apply puts the input over a check; annotations are appended, as GitHub does.
func (in checkInput) apply(c *Check) {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&c.Name, in.Name)
	set(&c.DetailsURL, in.DetailsURL)
	set(&c.ExternalID, in.ExternalID)
	set(&c.Status, in.Status)
	if in.Conclusion != nil {
		c.Conclusion, c.Status = *in.Conclusion, "completed"
	}
	if o := in.Output; o != nil {
		c.Title, c.Summary, c.Text = o.Title, o.Summary, o.Text
		c.Annotations = append(c.Annotations, o.Annotations...)
	}
}

// checkRuns makes, gives or updates a check run, or lists its annotations.
func (s *Server) checkRuns(w http.ResponseWriter, c *call) {
	var in checkInput
	c.decode(&in)
	level := "write"
	if c.Method == http.MethodGet {
		level = "read"
	}
	if forbid(w, c, level, "checks") {
		return
	}
	if c.Method == http.MethodPost {
		if c.token.App == "" {
			writeError(w, http.StatusForbidden, "You must authenticate via a GitHub App.", "")
			return
		}
		check := Check{ID: s.next(), Commit: in.HeadSHA, App: c.token.App, Status: "queued"}
		in.apply(&check)
		s.state.Checks = append(s.state.Checks, check)
		writeJSON(w, http.StatusCreated, s.checkJSON(check))
		return
	}
	id := c.number("check_run_id")
	check := find(s.state.Checks, func(x Check) bool { return x.ID == id })
	switch {
	case check == nil:
		notFound(w)
	case c.Method == http.MethodPatch && check.App != c.token.App:
		writeError(w, http.StatusForbidden, "Invalid app_id `1` - check run can only be modified by the GitHub App that created it.", "")
	case c.Method == http.MethodPatch:
		in.apply(check)
		writeJSON(w, http.StatusOK, s.checkJSON(*check))
	case len(c.path) > 12 && c.path[len(c.path)-12:] == "/annotations":
		list := []any{}
		for _, a := range page(s, w, c, check.Annotations) {
			list = append(list, s.check.sample("check-annotation", map[string]any{
				"path": a.Path, "start_line": a.Start, "end_line": a.End, "annotation_level": a.Level,
				"title": a.Title, "message": a.Message,
			}))
		}
		writeJSON(w, http.StatusOK, list)
	default:
		writeJSON(w, http.StatusOK, s.checkJSON(*check))
	}
}

// checksOfCommit lists the check runs of a commit, newest first, by name.
func (s *Server) checksOfCommit(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "checks") {
		return
	}
	name := c.URL.Query().Get("check_name")
	var found []Check
	for i := len(s.state.Checks) - 1; i >= 0; i-- {
		if x := s.state.Checks[i]; x.Commit == c.params["ref"] && (name == "" || x.Name == name) {
			found = append(found, x)
		}
	}
	list := []any{}
	for _, x := range page(s, w, c, found) {
		list = append(list, s.checkJSON(x))
	}
	writeJSON(w, http.StatusOK, map[string]any{"total_count": len(found), "check_runs": list})
}

func (s *Server) checkJSON(c Check) map[string]any {
	fields := map[string]any{
		"id": c.ID, "name": c.Name, "head_sha": c.Commit, "status": c.Status, "external_id": c.ExternalID,
		"details_url": c.DetailsURL, "conclusion": nil, "check_suite": nil,
		"html_url": "https://github.example/" + s.state.Repository + "/runs/" + itoa(c.ID),
		"url":      s.URL + "/repos/" + s.state.Repository + "/check-runs/" + itoa(c.ID),
		"output": map[string]any{
			"title": c.Title, "summary": c.Summary, "text": c.Text, "annotations_count": len(c.Annotations),
			"annotations_url": s.URL + "/repos/" + s.state.Repository + "/check-runs/" + itoa(c.ID) + "/annotations",
		},
	}
	if c.Conclusion != "" {
		fields["conclusion"] = c.Conclusion
	}
	return s.check.sample("check-run", fields)
}
