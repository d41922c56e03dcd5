//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"runtime"
)

// Probe says that there is no sandbox on this system, which is an error only if
// the policy requires one.
func Probe(_ context.Context, _ string, p Policy) (Found, error) {
	p.MemoryBytes, p.FileBytes, p.TempBytes, p.Processes = 0, 0, 0, 0
	none := Found{Level: None, Policy: p, Detail: "switched off", Open: allGaps()}
	if p.Off {
		return none, nil
	}
	none.Detail = "nothing is restricted: there is no sandbox for " + runtime.GOOS
	if p.Require {
		return none, errors.New(none.Detail + "; run on Linux, or do without")
	}
	return none, nil
}

// Try is Probe for one level, which it is an error not to reach.
func Try(_ context.Context, _ string, level Level, p Policy) (Found, error) {
	if level != None {
		return Found{}, errors.New("there is no sandbox for " + runtime.GOOS)
	}
	return Found{Level: None, Policy: p, Open: allGaps()}, nil
}
