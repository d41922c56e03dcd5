//go:build go1.21

package serving

import (
	"bufio"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
)

// maxBody bounds what is read of an answer.
const maxBody = 1 << 20

// Serve returns what the client of a server with this handler gets for a request. The code is 0
// where there is no answer, since the handler panicked or closed the connection.
func Serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	w.Code = 0
	client, conn := net.Pipe()
	c := &connection{handler: h, conn: conn, over: make(chan struct{})}
	server := &http.Server{
		Handler:      c,
		ConnState:    c.changed,
		ErrorLog:     log.New(io.Discard, "", 0),
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){}, // no HTTP/2 to set up
	}
	_ = server.Serve(&single{local{conn}}) // ends after one connection, which goes on
	r = r.Clone(r.Context())
	r.Close = true
	sent := make(chan struct{})
	go func() {
		_ = r.Write(client)
		close(sent)
	}()
	if answer, err := http.ReadResponse(bufio.NewReader(client), r); err == nil {
		w.Code = answer.StatusCode
		answer.Header.Del("Date")
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		_, _ = io.Copy(w.Body, io.LimitReader(answer.Body, maxBody))
	}
	client.Close()
	<-sent
	<-c.over
	return w
}

// connection is served by a handler until over is closed.
type connection struct {
	handler  http.Handler
	conn     net.Conn
	hijacked bool
	over     chan struct{}
}

func (c *connection) changed(_ net.Conn, s http.ConnState) {
	switch s {
	case http.StateHijacked:
		c.hijacked = true
	case http.StateClosed:
		close(c.over)
	}
}

// ServeHTTP closes the connection behind a handler that has hijacked it: its client would wait
// for more.
func (c *connection) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if c.hijacked {
			c.conn.Close()
			close(c.over)
		}
	}()
	c.handler.ServeHTTP(w, r)
}

// single listens for a connection that is there already.
type single struct{ conn net.Conn }

func (s *single) Accept() (net.Conn, error) {
	c := s.conn
	if s.conn = nil; c == nil {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (s *single) Close() error   { return nil }
func (s *single) Addr() net.Addr { return address{} }

// local is a connection that says it comes from this machine, as one to a server of package
// httptest does.
type local struct{ net.Conn }

func (local) LocalAddr() net.Addr  { return address{} }
func (local) RemoteAddr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "tcp" }
func (address) String() string  { return "127.0.0.1:1024" }
