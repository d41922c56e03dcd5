package bot

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// attempts at one request, the first included.
const attempts = 4

// sender sends requests with the token, and sends again what may be sent twice.
type sender struct {
	base    http.RoundTripper
	token   string
	api     *url.URL // the only host that gets the token; nil is none
	timeout time.Duration
	pause   time.Duration
	log     *slog.Logger
}

type repeatKey struct{}

// repeatable marks requests that do the same when they are done twice, although
// their method does not say so.
func repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatKey{}, true)
}

func mayRepeat(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return true
	}
	return r.Context().Value(repeatKey{}) != nil
}

// RoundTrip implements http.RoundTripper.
func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	pause := s.pause
	for n := 1; ; n++ {
		resp, err := s.once(r)
		if err == nil && resp.StatusCode < 500 || n == attempts || r.Context().Err() != nil || !mayRepeat(r) {
			return resp, err
		}
		if err == nil {
			_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
			resp.Body.Close()
			s.log.Debug("GitHub failed; asking again", "method", r.Method, "path", r.URL.Path, "status", resp.StatusCode, "pause", pause)
		} else {
			s.log.Debug("GitHub cannot be reached; asking again", "method", r.Method, "path", r.URL.Path, "error", err, "pause", pause)
		}
		if err := sleep(r.Context(), pause); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

// once sends a copy of the request, whose body is read from its beginning: the
// limiter above sends the same request several times.
func (s *sender) once(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
	again := r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			cancel()
			return nil, err
		}
		again.Body = body
	}
	if s.api != nil && r.URL.Host == s.api.Host && r.URL.Scheme == s.api.Scheme {
		again.Header.Set("Authorization", "Bearer "+s.token)
	}
	resp, err := s.base.RoundTrip(again)
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &timedBody{resp.Body, cancel}
	return resp, nil
}

// timedBody ends the request's clock when it is closed.
type timedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *timedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
