package reach

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/reach/goals"
)

// frozen is the digest of the goals, so that none of them is changed for the sake of
// what is measured.
const frozen = "038e5fe9901e11485eb7d278bc7afac52a1a93d488a2b090391d6be363d8183a"

func TestGoalsAreFrozen(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(goals.Source)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the goals have the digest %s, not %s: figures of docs/evaluation.md are of others", got, frozen)
	}
	if n := len(planted(goals.Source, "")); n != 30 {
		t.Errorf("%d goals are planted, want 30", n)
	}
}
