//go:build go1.21

package harness

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// StubConn is the name of the type that stands for net.Conn.
const StubConn = stubPrefix + "NetConn" + stubSuffix

// IsConn reports whether a type is the one that stands for net.Conn.
func IsConn(t reflect.Type) bool { return t.Name() == StubConn && IsStub(t) }

// ConnSource declares a type that stands for net.Conn: it gives what it was given to be read, then the end of it, and keeps what is
// written. The other texts qualify names of these packages.
func ConnSource(name, net, io, sync, time string) string {
	return strings.NewReplacer("NAME", name, "NET.", net, "IO.", io, "SYNC.", sync, "TIME.", time).Replace(connSource)
}

const connSource = `type NAME struct {
	Given   string
	Written []byte
	Closed  bool
	read    int
	lock    SYNC.Mutex
}

func (c *NAME) Read(b []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.Closed {
		return 0, NET.ErrClosed
	}
	if c.read == len(c.Given) {
		return 0, IO.EOF
	}
	n := copy(b, c.Given[c.read:])
	c.read += n
	return n, nil
}

func (c *NAME) Write(b []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.Closed {
		return 0, NET.ErrClosed
	}
	c.Written = append(c.Written, b...)
	return len(b), nil
}

func (c *NAME) Close() error {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.Closed = true
	return nil
}

func (c *NAME) LocalAddr() NET.Addr                { return &NET.TCPAddr{IP: NET.IPv4(127, 0, 0, 1), Port: 7} }
func (c *NAME) RemoteAddr() NET.Addr               { return &NET.TCPAddr{IP: NET.IPv4(192, 0, 2, 7), Port: 4711} }
func (c *NAME) SetDeadline(TIME.Time) error      { return nil }
func (c *NAME) SetReadDeadline(TIME.Time) error  { return nil }
func (c *NAME) SetWriteDeadline(TIME.Time) error { return nil }
`

// freshConn is a connection from which a text can be read.
func (b *builder) freshConn(t reflect.Type) wire.Lit {
	l := wire.Lit{Form: wire.Struct, E: make([]wire.Lit, b.g.m.Fields(t))}
	for i := range l.E {
		if t.Field(b.g.m.Field(t, i)).Name == "Given" {
			l.E[i] = wire.Lit{Form: wire.Text, S: b.text(spot{-1, -1})}
		}
	}
	return l
}
