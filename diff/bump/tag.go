package bump

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Module is what the names of a module's tags depend on.
type Module struct {
	Path string // as in go.mod
	Dir  string // relative to the repository, slash-separated; "." at its root
}

// prefix is what a tag has before the version. A folder that is named after the
// major version alone is not part of it.
func (m Module) prefix() string {
	dir := path.Clean(m.Dir)
	if major := m.major(); major != "" && path.Base(dir) == major {
		dir = path.Dir(dir)
	}
	if dir == "." || dir == "" {
		return ""
	}
	return dir + "/"
}

// major is the path's version suffix, such as v2; "" for v0 and v1.
func (m Module) major() string {
	_, suffix, ok := module.SplitPathVersion(m.Path)
	if !ok {
		return ""
	}
	return strings.TrimLeft(suffix, "/.")
}

// Version takes the version out of the name of one of the module's tags.
func (m Module) Version(tag string) (string, bool) {
	v, ok := strings.CutPrefix(tag, m.prefix())
	if !ok || !semver.IsValid(v) || semver.Canonical(v) != v {
		return "", false // v1 and v1.2 are no versions to Go, and +meta is none that a tag may have
	}
	return v, true
}

// Tag is the name of a version's tag.
func (m Module) Tag(version string) string { return m.prefix() + version }

// Fits reports whether a version can be one of the module.
func (m Module) Fits(version string) error {
	major, want := semver.Major(version), m.major()
	switch {
	case want == "" && (major == "v0" || major == "v1"), major == want:
		return nil
	case want == "":
		return fmt.Errorf("%s needs the module path %s/%s in go.mod; as it is, Go refuses the version", version, m.Path, major)
	}
	return fmt.Errorf("the module path %s takes versions %s only; Go refuses %s", m.Path, want, version)
}

// Previous is the tag of the release before, among the tags that the head's
// history holds; "" where there is none. See the package comment.
func (m Module) Previous(tags []string) string {
	var fitting, older []string
	for _, t := range tags {
		v, ok := m.Version(t)
		switch {
		case !ok:
		case m.Fits(v) == nil:
			fitting = append(fitting, v)
		case m.major() != "" && semver.Compare(v, m.major()) < 0:
			older = append(older, v)
		}
	}
	for _, list := range [][]string{fitting, older} {
		if v := highest(list); v != "" {
			return m.Tag(v)
		}
	}
	return ""
}

// Highest is the highest of the module's versions among tags; "" where there is
// none.
func (m Module) Highest(tags []string) string {
	var versions []string
	for _, t := range tags {
		if v, ok := m.Version(t); ok {
			versions = append(versions, v)
		}
	}
	semver.Sort(versions)
	if len(versions) == 0 {
		return ""
	}
	return versions[len(versions)-1]
}

// highest prefers releases to pre-releases.
func highest(versions []string) string {
	semver.Sort(versions)
	for _, v := range slices.Backward(versions) {
		if semver.Prerelease(v) == "" {
			return v
		}
	}
	if len(versions) == 0 {
		return ""
	}
	return versions[len(versions)-1]
}
