package runner

import (
	"path"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// leaveOutBroken names the packages that build in neither version. One that builds in the
// other version, or whose files the change touches, ends the comparison: what is said of
// the rest would be taken for the whole change.
func (r *run) leaveOutBroken() error {
	base, head := r.versions[version.Base].Tree, r.versions[version.Head].Tree
	if len(base.Broken)+len(head.Broken) == 0 {
		return nil
	}
	changes, err := revision.Changes(base.Root, head.Root)
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	for _, c := range changes {
		touched[path.Dir(c.Path)] = true
		if c.OldPath != "" {
			touched[path.Dir(c.OldPath)] = true
		}
	}
	for _, side := range []version.Side{version.Head, version.Base} {
		own, other := r.versions[side].Tree, r.versions[side.Other()].Tree
		refused := slices.DeleteFunc(slices.Clone(own.Broken), func(b load.Broken) bool {
			return !touched[own.Rel(b.Dir)] && slices.ContainsFunc(other.Broken, func(o load.Broken) bool { return o.Path == b.Path })
		})
		if len(refused) > 0 {
			return r.versionError(side, own.Refuse(refused))
		}
	}
	for _, b := range head.Broken {
		r.env.Limit(event.Limit{Kind: event.LimitNotBuilt, What: b.Path, Reason: "neither version of it builds, so it is left out: " + b.Messages[0]})
	}
	return nil
}
