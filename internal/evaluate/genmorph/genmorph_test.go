package genmorph

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// frozen is the digest of the methods, so that none of them is changed for the sake of what
// is measured.
const frozen = "182f23fb99fc5748dd41f02a7ed6f297d59354f027556bf2235e4ecfc5b8fb62"

func TestMethodsAreFrozen(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(methodsFile)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the methods have the digest %s, not %s: figures of docs/evaluation.md are of others", got, frozen)
	}
	if n := len(methodsOf()); n != 23 {
		t.Errorf("%d methods, and the table has 23", n)
	}
}

// What is measured with is nothing that the search has seen: of each kind, most values that
// the generators draw are different ones.
func TestInputsAreDisjoint(t *testing.T) {
	t.Parallel()
	s := study{opt: settings{seed: 1}}
	for _, m := range methodsOf() {
		if len(m.in) == 1 && (m.in[0] == law.Int) {
			continue // small numbers are what they are
		}
		seen := map[string]bool{}
		for _, in := range append(m.inputs(training, trainingInputs, s.random(1)), m.inputs(fresh, freshInputs, s.random(2))...) {
			seen[keyOf(in)] = true
		}
		list, both := m.inputs(measuring, 600, s.random(3)), 0
		for _, in := range list {
			if seen[keyOf(in)] {
				both++
			}
		}
		if len(list) < 200 || both > len(list)/2 {
			t.Errorf("%s: %d of %d inputs for measuring were seen before", m.name, both, len(list))
		}
	}
	if s.random(1).Uint64() == s.random(2).Uint64() || s.random(3).Uint64() == rand.New(rand.NewPCG(1, 0)).Uint64() {
		t.Error("two purposes have the same seed")
	}
}

// The whole run for two methods: known relations are found, and mutants are detected.
func TestRun(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "it builds a program with hundreds of mutants")
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"-subjects", "repeat,pow", "-mutants", "12", "-inputs", "150", "-list"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pow(k, e + 1) = k·pow(k, e)", "genmorph.single.mean="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "genmorph.all.mean=0.000") {
		t.Errorf("no mutant is detected:\n%s", &out)
	}
}
