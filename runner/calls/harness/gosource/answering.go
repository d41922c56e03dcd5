//go:build go1.21

package gosource

import "github.com/isodelta/isodelta/runner/calls/harness"

// answeredSource is what a test declares in place of serving.Answer. Packages stand before their names in
// parentheses.
const answeredSource = `// answered has a function answer what clients ask that have no transport of their own, as long as the test runs.
func answered(t *(testing)T, answer func(*(net/http)Request) (*(net/http)Response, error)) {
	before := (net/http)DefaultTransport
	t.Cleanup(func() { (net/http)DefaultTransport = before })
	transport := before.(*(net/http)Transport).Clone()
	transport.ForceAttemptHTTP2, transport.TLSNextProto = false, map[string]func(string, *(crypto/tls)Conn) (net/http)RoundTripper{} // https is registered here
	transport.RegisterProtocol("http", answering(answer))
	transport.RegisterProtocol("https", answering(answer))
	(net/http)DefaultTransport = transport
}

type answering func(*(net/http)Request) (*(net/http)Response, error)

func (f answering) RoundTrip(r *(net/http)Request) (*(net/http)Response, error) { return f(r) }
`

// answered names the function that stands for harness.Answered.
func (w *writer) answered() string {
	return w.declaring(harness.Answered, answeredSource, "crypto/tls", "net/http", "testing")
}
