package load

import (
	"strings"

	"golang.org/x/tools/go/packages"
)

// LacksSums reports whether listing packages, with what List returned, shows that go.sum has no
// entry for what the packages or the go command need.
func LacksSums(l *Listing, err error) bool {
	if err != nil {
		return lacksSums(err.Error())
	}
	lacks := false
	packages.Visit(l.pkgs, func(p *packages.Package) bool {
		for _, e := range p.Errors {
			lacks = lacks || lacksSums(e.Msg)
		}
		return !lacks
	}, nil)
	return lacks
}

func lacksSums(message string) bool {
	return strings.Contains(message, "missing go.sum entry") || strings.Contains(message, "updates to go.sum needed") ||
		strings.Contains(message, "updates to go.mod needed")
}
