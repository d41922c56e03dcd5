package runner

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// maxConstants bounds the constants that are named since their values differ.
const maxConstants = 20

// listConstants names the exported constants that have another value on head. Whoever uses a package has its constants compiled
// in, so that no call of the package itself has to show them. Packages that nobody can import are left out.
func (r *run) listConstants() {
	before := map[string]*load.Package{}
	for _, p := range r.versions[version.Base].Tree.Packages {
		before[p.Path] = p
	}
	n := 0
	for _, p := range r.versions[version.Head].Tree.Packages {
		was := before[p.Path]
		if was == nil || was.Code == nil || p.Code == nil || p.Code.Name == "main" || slices.Contains(strings.Split(p.Path, "/"), "internal") {
			continue
		}
		for _, name := range p.Code.Types.Scope().Names() {
			b, _ := was.Code.Types.Scope().Lookup(name).(*types.Const)
			h, _ := p.Code.Types.Scope().Lookup(name).(*types.Const)
			if b == nil || h == nil || !h.Exported() || b.Val().ExactString() == h.Val().ExactString() || n == maxConstants {
				continue
			}
			n++
			r.env.Limit(event.Limit{Kind: event.LimitConstant, What: p.Path + "." + name, Reason: fmt.Sprintf("%s on base, %s on head", b.Val(), h.Val())})
		}
	}
}
