package version_test

import (
	"testing"

	"github.com/isodelta/isodelta/runner/version"
)

func TestSides(t *testing.T) {
	names := version.Both[string]{version.Base: "base", version.Head: "head"}
	for i, side := range version.Sides {
		if int(side) != i || side.String() != names[side] || names[side.Other()] == names[side] || side.Other().Other() != side {
			t.Errorf("side %d is %s, its other %s", i, side, side.Other())
		}
	}
}
