package action

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"golang.org/x/mod/semver"
)

func keys(m map[string]string) iter.Seq[string] { return maps.Keys(m) }

// cutTag takes the tag out of a full reference name.
func cutTag(ref string) (string, bool) { return strings.CutPrefix(ref, "refs/tags/") }

// branchOf takes the branch out of a full reference name; HEAD where there is none.
func branchOf(ref string) string {
	if b := strings.TrimPrefix(ref, "refs/heads/"); b != "" {
		return b
	}
	return "HEAD"
}

// splitTag separates the folder of a module from the version in a tag such as
// sub/v1.2.3.
func splitTag(tag string) (folder, version string, ok bool) {
	i := strings.LastIndex(tag, "/") + 1
	folder, version = tag[:i], tag[i:]
	// Abbreviations such as v1 are moved from release to release.
	ok = semver.IsValid(version) && semver.Canonical(version) == strings.TrimSuffix(version, semver.Build(version))
	return folder, version, ok
}

// previousTag finds the release before one: of the same module, the highest
// version below it. A release is not compared with a pre-release.
func previousTag(tags []string, tag string) (string, error) {
	folder, version, ok := splitTag(tag)
	if !ok {
		return "", fmt.Errorf("the tag %s is no semantic version (v1.2.3), so it is not known which release came before it: set the input base", shown(tag))
	}
	best, highest := "", ""
	for _, t := range tags {
		f, v, ok := splitTag(t)
		if !ok || f != folder || semver.Compare(v, version) >= 0 || semver.Prerelease(version) == "" && semver.Prerelease(v) != "" {
			continue
		}
		if best == "" || semver.Compare(v, highest) > 0 || semver.Compare(v, highest) == 0 && t < best {
			best, highest = t, v
		}
	}
	if best == "" {
		return "", fmt.Errorf("no release comes before %s: there is nothing to compare the first one with", shown(tag))
	}
	return best, nil
}

// latestTag finds the highest release of the module at the repository's top;
// "" if there is none.
func latestTag(tags []string) string {
	best := ""
	for _, t := range tags {
		folder, v, ok := splitTag(t)
		if ok && folder == "" && semver.Prerelease(v) == "" && (best == "" || semver.Compare(v, best) > 0) {
			best = t
		}
	}
	return best
}
