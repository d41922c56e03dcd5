package runner

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// leaveOutBroken names the packages that build in neither version, and those that do not build in the only version that has them.
// One that builds in the other version ends the comparison, and so does one that all of the change is in.
func (r *run) leaveOutBroken() error {
	base, head := r.versions[version.Base].Tree, r.versions[version.Head].Tree
	if len(base.Broken)+len(head.Broken) == 0 {
		return nil
	}
	changes, err := revision.Changes(base.Root, head.Root)
	if err != nil {
		return err
	}
	touched := map[string]bool{} // folders of Go files
	for _, c := range changes {
		for _, file := range []string{c.Path, c.OldPath} {
			if strings.HasSuffix(file, ".go") {
				touched[path.Dir(file)] = true
			}
		}
	}
	// Where the change touches nothing else, nothing would be left to compare.
	for _, b := range head.Broken {
		if dir := head.Rel(b.Dir); touched[dir] && len(touched) == 1 {
			return r.versionError(version.Head, head.Refuse([]load.Broken{b}))
		}
	}
	for _, side := range []version.Side{version.Head, version.Base} {
		own, other := r.versions[side].Tree, r.versions[side.Other()].Tree
		refused := slices.DeleteFunc(slices.Clone(own.Broken), func(b load.Broken) bool {
			if _, err := os.Stat(filepath.Join(other.Root, own.Rel(b.Dir))); errors.Is(err, fs.ErrNotExist) {
				r.env.Limit(event.Limit{Kind: event.LimitNotBuilt, What: b.Path, Reason: side.String() + " alone has it, and it does not build, so it is left out: " + b.Messages[0]})
				return true
			}
			return slices.ContainsFunc(other.Broken, func(o load.Broken) bool { return o.Path == b.Path })
		})
		if len(refused) > 0 {
			return r.versionError(side, own.Refuse(refused))
		}
	}
	for _, b := range head.Broken {
		if !slices.ContainsFunc(base.Broken, func(o load.Broken) bool { return o.Path == b.Path }) {
			continue // told above
		}
		reason := "neither version of it builds, so it is left out: "
		if touched[head.Rel(b.Dir)] {
			reason = "the change touches it, and neither version of it builds, so it is left out: "
		}
		r.env.Limit(event.Limit{Kind: event.LimitNotBuilt, What: b.Path, Reason: reason + b.Messages[0]})
	}
	return nil
}
