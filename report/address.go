package report

import (
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// diffAddress returns where the versions of a module can be read side by side; "" where
// that is not known. Only modules whose path begins with github.com tell it by their names.
func diffAddress(path, base, head string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 3 || parts[0] != "github.com" || base == head {
		return ""
	}
	prefix, _, ok := module.SplitPathVersion(path)
	if !ok || module.CheckPath(path) != nil || len(strings.Split(prefix, "/")) < 3 {
		return ""
	}
	folder := strings.Join(strings.Split(prefix, "/")[3:], "/")
	b, h := reference(folder, base), reference(folder, head)
	if b == "" || h == "" {
		return ""
	}
	return "https://github.com/" + parts[1] + "/" + parts[2] + "/compare/" + b + "..." + h
}

// reference returns what GitHub calls a version of the module in a folder of its
// repository: a tag, or the commit that a pseudo-version names.
func reference(folder, version string) string {
	if !semver.IsValid(version) {
		return ""
	}
	if module.IsPseudoVersion(version) {
		commit, err := module.PseudoVersionRev(version)
		if err != nil {
			return ""
		}
		return commit
	}
	tag := strings.TrimSuffix(version, "+incompatible")
	if folder != "" {
		tag = folder + "/" + tag
	}
	return tag
}
