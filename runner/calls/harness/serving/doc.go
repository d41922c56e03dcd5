// Package serving has a handler answer a request over a connection. What net/http gives a
// handler there is more than a recorder: it flushes, hijacks, reads from files, checks how much
// is written, and catches panics. Middleware that wraps it shows only there whether it lets
// these through.
//
// Like package harness, beside which it is injected, it never runs inside isodelta itself. It
// is apart from that package since it imports net/http, which only those modules are linked
// with whose functions take its types.
//
// The connection is in memory: it needs no port, and no clock has a say in it.
//
// What it cannot do: a handler that hijacks the connection is served until it returns; what
// goroutines of its own write later is lost.
package serving
