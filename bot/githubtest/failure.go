package githubtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Failure is an answer that GitHub gives now and then instead of the right one.
type Failure struct {
	Method string // "" is any
	Path   string // that the path must contain; "" is any
	Skip   int    // requests that are served before the first failure
	Times  int    // failures; 0 is for ever

	Status  int           // of the answer; 0 serves the request after Delay
	Header  http.Header   // of the answer
	Message string        // of the answer's body
	URL     string        // documentation_url of the answer's body
	HTML    bool          // the body is no JSON, as a proxy's
	Delay   time.Duration // before anything else
	Drop    bool          // the connection is closed instead of an answer
	// After does what was asked for first, so that only the answer is lost.
	After bool
}

// SecondaryLimit is GitHub's answer to too many requests in a short time; it
// asks to wait for that many seconds, 0 says nothing about it.
func SecondaryLimit(seconds, times int) Failure {
	f := Failure{
		Status: http.StatusForbidden, Times: times, Header: http.Header{},
		Message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
		URL:     "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
	}
	if seconds > 0 {
		f.Header.Set("Retry-After", strconv.Itoa(seconds))
	}
	return f
}

// PrimaryLimit is GitHub's answer when the hour's requests are used up.
func PrimaryLimit(reset time.Time, times int) Failure {
	return Failure{
		Status: http.StatusForbidden, Times: times,
		Header: http.Header{
			"X-Ratelimit-Limit": {"1000"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Used": {"1000"},
			"X-Ratelimit-Resource": {"core"}, "X-Ratelimit-Reset": {strconv.FormatInt(reset.Unix(), 10)},
		},
		Message: "API rate limit exceeded for installation.",
		URL:     "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting",
	}
}

// Status is a failure with that status.
func Status(status, times int) Failure {
	return Failure{Status: status, Times: times, Message: http.StatusText(status)}
}

// On restricts the failure to a method and to paths that hold a text.
func (f Failure) On(method, path string) Failure {
	f.Method, f.Path = method, path
	return f
}

// Fail makes later requests fail; failures that are told earlier go first.
func (s *Server) Fail(f Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, &f)
}

// failure takes the one for this request, nil for none.
func (s *Server) failure(method, path string) *Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.failures {
		if f.Method != "" && f.Method != method || !strings.Contains(path, f.Path) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		now := *f
		if f.Times == 1 {
			s.failures = append(s.failures[:i:i], s.failures[i+1:]...)
		} else if f.Times > 1 {
			f.Times--
		}
		return &now
	}
	return nil
}

// write sends the failure.
func (f *Failure) write(w http.ResponseWriter) {
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	for k, v := range f.Header {
		w.Header()[k] = v
	}
	if f.HTML {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Status)
		fmt.Fprintf(w, "<html><h1>%s</h1></html>", http.StatusText(f.Status))
		return
	}
	writeError(w, f.Status, f.Message, f.URL)
}
