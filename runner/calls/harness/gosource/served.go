//go:build go1.21

package gosource

import "github.com/isodelta/isodelta/runner/calls/harness"

// servedSource is what a test declares in place of serving.Serve: the same over a connection
// of the loopback interface. Packages stand before their names in parentheses.
const servedSource = `// served is what the client of a server with this handler gets for a request.
func served(h (net/http)Handler, r *(net/http)Request) *(net/http/httptest)ResponseRecorder {
	w := (net/http/httptest)NewRecorder()
	w.Code = 0 // no answer
	server := (net/http/httptest)NewUnstartedServer(h)
	server.Config.ErrorLog = (log)New((io)Discard, "", 0)
	server.Start()
	defer server.Close()
	conn, err := (net)Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	r = r.Clone(r.Context())
	r.Close = true
	if err := r.Write(conn); err != nil {
		panic(err)
	}
	resp, err := (net/http)ReadResponse((bufio)NewReader(conn), r)
	if err != nil {
		return w
	}
	w.Code = resp.StatusCode
	resp.Header.Del("Date")
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	(io)Copy(w.Body, resp.Body)
	return w
}
`

// served names the function that stands for harness.Served.
func (w *writer) served() string {
	return w.declaring(harness.Served, servedSource, "bufio", "io", "log", "net", "net/http", "net/http/httptest")
}
