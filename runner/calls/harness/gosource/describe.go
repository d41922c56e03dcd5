//go:build go1.21

package gosource

import (
	"fmt"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Describe is a harness.Describer. It writes p down as Go source up to the place,
// and lists the ways to look at the place.
func Describe(r *harness.Registry, p wire.Sequence, at wire.Place, a *wire.Answer) {
	defer func() {
		if e := recover(); e != nil {
			a.NoCode = fmt.Sprint(e)
		}
	}()
	var err error
	if a.Code, err = Source(r, p, at); err == nil {
		a.Views, err = Views(r, p, at)
	}
	if err != nil {
		a.NoCode = err.Error()
	}
}
