//go:build go1.21

package harness

import "github.com/isodelta/isodelta/runner/calls/wire"

// timeAt returns the literal of a time, in seconds since 1970 and in a zone, in seconds east of UTC.
func timeAt(seconds, zone int64) wire.Lit {
	l := wire.Lit{Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{{Form: wire.Int, N: seconds}}}
	if zone != 0 {
		l.E = append(l.E, wire.Lit{Form: wire.Int}, wire.Lit{Form: wire.Int, N: zone})
	}
	return l
}

// TimeZone returns the zone of a time's literal, in seconds east of UTC, 0 for UTC.
func TimeZone(l wire.Lit) int64 {
	if len(l.E) < 3 {
		return 0
	}
	return l.E[2].N
}
