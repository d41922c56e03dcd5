package automr

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/automr/fees"
	"github.com/isodelta/isodelta/internal/evaluate/automr/independent"
	"github.com/isodelta/isodelta/internal/evaluate/everyday"
)

// frozen is the digest of the ten fees, so that none of them is changed for the sake
// of what is measured.
const frozen = "5b62c6f78057142c1c7adbdb2226f833d06b190c173397b9057bb2cb2fccabcf"

func TestFeesAreFrozen(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(fees.Source)
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("the fees have the digest %s, not %s: figures of docs/evaluation.md are of others", got, frozen)
	}
	n := 0
	for _, p := range programs() {
		if p.fee == "" {
			continue
		}
		n++
		points := p.points()
		if points[len(points)-1] <= 20 {
			t.Errorf("%s has no constant beyond 20", p.name)
		}
	}
	if n != 10 {
		t.Errorf("%d fees", n)
	}
}

// The fees and their independent implementations agree on inputs as people use them.
func TestFeesIndependently(t *testing.T) {
	t.Parallel()
	library := independent.New()
	for name, f := range map[string]func(x []float64) float64{
		"postage":   func(x []float64) float64 { return fees.Postage(x[0]) },
		"luggage":   func(x []float64) float64 { return fees.Luggage(x[0], x[1]) },
		"gasbill":   func(x []float64) float64 { return fees.GasBill(x[0]) },
		"overdraft": func(x []float64) float64 { return fees.Overdraft(x[0]) },
		"incometax": func(x []float64) float64 { return fees.IncomeTax(x[0]) },
		"rebate":    func(x []float64) float64 { return fees.Rebate(x[0], x[1]) },
		"overdue":   func(x []float64) float64 { return fees.Overdue(x[0]) },
		"bulk":      func(x []float64) float64 { return fees.Bulk(x[0]) },
		"admission": func(x []float64) float64 { return fees.Admission(x[0], x[1]) },
		"brokerage": func(x []float64) float64 { return fees.Brokerage(x[0]) },
	} {
		p := named([]string{name})[0]
		zero, all := 0, everyday.Inputs(subjectOf(p, nil), 5000, rand.New(rand.NewSource(1)))
		for _, x := range all {
			want, got := f(x), library.Function(name)(x)[0]
			if math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s%v = %v, independently %v", name, x, want, got)
				break
			}
			if want == 0 {
				zero++
			}
		}
		t.Logf("%s is 0 for %d of %d inputs", name, zero, len(all))
	}
}
