package relations

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/relations/subjects"
	"github.com/isodelta/isodelta/internal/longtest"
)

// frozen is the digest of the subjects, so that none of them is changed for the sake of
// what is measured.
const frozen = "45f873f63e98d61d9683b7fbedf89c6de44afa091ddd811f8e996a8f1a60e2fa"

func TestSubjectsAreFrozen(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(source)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the subjects have the digest %s, not %s: figures of docs/evaluation.md are of others", got, frozen)
	}
	if n := len(subjects.All()); n != 40 {
		t.Errorf("%d subjects", n)
	}
}

// The rare case of each subject is one: inputs show it, and most do not meet it.
func TestRareCases(t *testing.T) {
	t.Parallel()
	opt, err := parse([]string{"-inputs", "20000"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects.All() {
		points, err := constants(s.Name)
		if err != nil || len(points) == 0 && s.Name != "ClampTo" { // it has no constants
			t.Errorf("%s: constants %v, %v", s.Name, points, err)
		}
		met := 0
		for _, x := range newJudge(s, program(s, true, points), opt).inputs {
			if s.F(x, true) != s.F(x, false) {
				met++
			}
		}
		if met == 0 || met > opt.inputs*9/10 {
			t.Errorf("%s: %d of %d inputs meet the rare case", s.Name, met, opt.inputs)
		}
	}
}

func TestConstants(t *testing.T) {
	t.Parallel()
	got, err := constants("Clamp")
	if err != nil || len(got) != 3 || got[0] != -1 || got[1] != 0 || got[2] != 100 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := constants("None"); err == nil {
		t.Error("a function that is not there has constants")
	}
}

func TestRun(t *testing.T) {
	longtest.Skip(t, "infers the relations of two functions twice")
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"-subjects", "Triangle,Step", "-inputs", "20000", "-list"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"relations.false=0", "Triangle", "\nPlanted:\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := Run(t.Context(), []string{"-subjects", "None"}, &out, io.Discard); err == nil {
		t.Error("a subject that is not there was measured")
	}
}
