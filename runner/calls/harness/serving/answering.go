//go:build go1.21

package serving

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
)

// before is http.DefaultTransport as the process has it, nil before the first call of Unanswered.
var before *http.Transport

// asked says that something was asked through it that is not on this machine.
var asked atomic.Bool

// Answer has a function answer what clients ask that have no transport of their own, until Unanswered is called.
// They find a transport of the usual type in http.DefaultTransport.
func Answer(f func(*http.Request) (*http.Response, error)) {
	if before == nil {
		return
	}
	t := before.Clone()
	t.ForceAttemptHTTP2, t.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{} // https is registered here
	t.RegisterProtocol("http", answering(f))
	t.RegisterProtocol("https", answering(f))
	http.DefaultTransport = t
}

// answering answers by a function.
type answering func(*http.Request) (*http.Response, error)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Unanswered puts the transport back, and reports whether clients have asked servers through it since the
// last call. What is asked of this machine does not count.
func Unanswered() bool {
	if before == nil {
		t, ok := http.DefaultTransport.(*http.Transport)
		if !ok {
			return false
		}
		before = t
		// It is asked once for each request that is not answered otherwise.
		proxy := t.Proxy
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			if ip := net.ParseIP(r.URL.Hostname()); r.URL.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
				asked.Store(true)
			}
			if proxy == nil {
				return nil, nil
			}
			return proxy(r)
		}
	}
	http.DefaultTransport = before
	return asked.Swap(false)
}
