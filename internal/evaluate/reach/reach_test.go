package reach

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/reach/goals"
)

// frozen is the digest of the goals, so that none of them is changed for the sake of
// what is measured.
const frozen = "c7d576daa55e59cfddf0376a6906fd7cb32a3cbf1c8e5378838883877023a12e"

func TestGoalsAreFrozen(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(goals.Source)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the goals have the digest %s, not %s: figures of docs/evaluation.md are of others", got, frozen)
	}
	if n := len(plantedGoals(goals.Source, "")); n != 30 {
		t.Errorf("%d goals are planted, want 30", n)
	}
}

// One goal, from the repository to the figures.
func TestRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	var out, progress bytes.Buffer
	if err := Run(context.Background(), []string{"-only", "square", "-tests"}, &out, &progress); err != nil {
		t.Fatal(err, progress.String())
	}
	for _, want := range []string{"func TestIsodeltaSquare_", "reach.goals=1\n", "reach.reached=1\n", "reach.executions.median="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not printed:\n%s", want, out.String())
		}
	}
	if err := Run(context.Background(), []string{"-only", "nothing of the kind"}, &out, &progress); err == nil {
		t.Error("a goal that is none is no mistake")
	}
}

// A sample of branches of which it is known whether an input takes them: none that one
// takes is called infeasible.
func TestSoundness(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs programs")
	}
	var out bytes.Buffer
	if err := Run(context.Background(), []string{"-soundness", "-each", "32", "-seed", "3"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"soundness.feasible=32\n", "soundness.feasible.called_infeasible=0\n", "soundness.infeasible.taken=0\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not printed:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "soundness.infeasible.proved=0\n") {
		t.Error("nothing is proved")
	}
}
