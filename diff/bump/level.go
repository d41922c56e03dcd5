package bump

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// Level is how far a version goes beyond the one before.
type Level int

// The levels, in their order.
const (
	None Level = iota // no version at all
	Patch
	Minor
	Major
)

func (l Level) String() string {
	return [...]string{"none", "patch", "minor", "major"}[l]
}

// Between returns the level at which a version lies above another one; None where
// it does not lie above it.
func Between(before, after string) Level {
	if semver.Compare(after, before) <= 0 {
		return None
	}
	b, a := numbers(before), numbers(after)
	if b == a {
		// The release that the pre-release before it announced.
		switch {
		case a[1] == 0 && a[2] == 0:
			return Major
		case a[2] == 0:
			return Minor
		}
		return Patch
	}
	switch {
	case a[0] != b[0]:
		return Major
	case a[1] != b[1]:
		return Minor
	}
	return Patch
}

// Next is the release that lies a level above a version.
func Next(before string, l Level) string {
	n := numbers(before)
	pre := semver.Prerelease(before) != ""
	switch {
	case l == Major && !(pre && n[1] == 0 && n[2] == 0):
		n = [3]int{n[0] + 1}
	case l == Minor && !(pre && n[2] == 0):
		n = [3]int{n[0], n[1] + 1}
	case l == Patch && !pre:
		n[2]++
	case l == None:
		return before
	}
	return fmt.Sprintf("v%d.%d.%d", n[0], n[1], n[2])
}

// numbers are major, minor and patch.
func numbers(v string) (n [3]int) {
	core, _, _ := strings.Cut(strings.TrimPrefix(semver.Canonical(v), "v"), "-")
	for i, s := range strings.SplitN(core, ".", 3) {
		n[i], _ = strconv.Atoi(s)
	}
	return n
}
