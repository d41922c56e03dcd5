package runner

import (
	"fmt"
	goversion "go/version"
	"strings"

	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// checkGoLines refuses a version that asks for a newer Go than the one that builds both,
// which could fetch no other.
func (r *run) checkGoLines() error {
	have, _, _ := strings.Cut(r.chain.Go.GOVERSION, " ")
	for _, side := range []version.Side{version.Head, version.Base} {
		modules, err := revision.Modules(r.versions[side].Root)
		if err != nil {
			return err
		}
		for _, m := range modules {
			if want := "go" + m.GoVersion; m.Dir == r.moduleDir && goversion.IsValid(have) && goversion.Compare(want, have) > 0 {
				return r.versionError(side, fmt.Errorf("go.mod asks for Go %s, and the go command here is %s and may not fetch another: install Go %s or a newer one, or set GOTOOLCHAIN=auto", m.GoVersion, have, m.GoVersion))
			}
		}
	}
	return nil
}
