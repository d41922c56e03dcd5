package programs

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgramsAreThoseThatWereMeasured: they were written before anything was measured on them.
// Who changes one measures anew.
func TestProgramsAreThoseThatWereMeasured(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "doc.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = h.Write(text) // a hash takes all
	}
	const want = "fff29d983f145c580609ec84bd8adfe3be79019a8d47011ad1752860fb2801e8"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("hash of the programs is %s, want %s", got, want)
	}
}

func source() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// TestGreatestDivisor compares with Euclid's algorithm on larger numbers.
func TestGreatestDivisor(t *testing.T) {
	t.Parallel()
	r := source()
	values := []int32{0, 1, -1, 2, 12, -18, math.MaxInt32, math.MinInt32, math.MinInt32 + 1, 1 << 30}
	for range 300 {
		values = append(values, int32(r.Uint32())>>r.IntN(32))
	}
	for _, a := range values {
		for _, b := range values {
			x, y := new(big.Int).Abs(big.NewInt(int64(a))), new(big.Int).Abs(big.NewInt(int64(b)))
			n := x.GCD(nil, nil, x, y).Int64()
			want := Divisor{}
			if n <= math.MaxInt32 {
				want = Divisor{int32(n), true}
			}
			if got := GreatestDivisor(Pair{a, b}); got != want {
				t.Fatalf("%d and %d: %+v, want %+v", a, b, got, want)
			}
		}
	}
}

// TestNormalizeAngle compares with a search for the turn.
func TestNormalizeAngle(t *testing.T) {
	t.Parallel()
	r := source()
	turns := map[Unit]int{Degrees: 360_000, Gradians: 400_000, Turns: 1000}
	for range 20_000 {
		d := Direction{Unit(r.IntN(3)), 0, 0}
		turn := turns[d.Unit]
		d.Value, d.Centre = (r.IntN(81)-40)*turn/8, (r.IntN(9)-4)*turn/8
		if r.IntN(2) == 0 {
			d.Value, d.Centre = r.IntN(9*turn)-4*turn, r.IntN(3*turn)-turn
		}
		want := Heading{Value: d.Value}
		for want.Value < d.Centre-turn/2 {
			want.Value += turn
			want.Turned++
		}
		for want.Value >= d.Centre+turn/2 {
			want.Value -= turn
			want.Turned--
		}
		from := ((d.Value % turn) + turn) % turn
		want.Quadrant, want.Straight = 4*from/turn+1, 4*from%turn == 0
		if got := NormalizeAngle(d); got != want {
			t.Fatalf("%+v: %+v, want %+v", d, got, want)
		}
	}
}

// TestDistance compares with the formulas, the root by package big.
func TestDistance(t *testing.T) {
	t.Parallel()
	r := source()
	for range 20_000 {
		x := Points{Metric: Metric(r.IntN(3))}
		sum, most, squares, axis := 0, 0, int64(0), -1
		for i := range r.IntN(5) {
			x.P, x.Q = append(x.P, r.IntN(2001)-1000), append(x.Q, r.IntN(2001)-1000)
			d := max(x.P[i]-x.Q[i], x.Q[i]-x.P[i])
			if d > most {
				most, axis = d, i
			}
			sum, squares = sum+d, squares+int64(d)*int64(d)
		}
		root := int(new(big.Int).Sqrt(big.NewInt(squares)).Int64())
		want := Span{Length: []int{sum, most, root}[x.Metric], Known: true, Axis: axis}
		if got := Distance(x); got != want {
			t.Fatalf("%+v: %+v, want %+v", x, got, want)
		}
	}
	if got := Distance(Points{P: []int{1}}); got != (Span{Axis: -1}) {
		t.Errorf("of different dimensions: %+v", got)
	}
}

// TestParseNumber compares what is read with a grammar and with package strconv.
func TestParseNumber(t *testing.T) {
	t.Parallel()
	hexadecimal := regexp.MustCompile(`^[-+]?(?:0[xX]|#)([0-9a-fA-F]+)$`)
	octal := regexp.MustCompile(`^[-+]?0([0-7]+)$`)
	long := regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)([lL]?)$`)
	float := regexp.MustCompile(`^[-+]?(?:0|0?\.[0-9]+|0\.|[1-9][0-9]*\.?[0-9]*)(?:[eE][-+]?[0-9]{1,3})?[fFdD]?$`)
	r := source()
	read := 0
	for range 300_000 {
		text := make([]byte, r.IntN(7))
		for i := range text {
			text[i] = "0123456789999...--+eExXfFdlL#aC"[r.IntN(31)]
		}
		s := string(text)
		base, digits, suffix := 0, "", ""
		if m := hexadecimal.FindStringSubmatch(s); m != nil {
			base, digits = 16, m[1]
		} else if m := octal.FindStringSubmatch(s); m != nil {
			base, digits = 8, m[1]
		} else if m := long.FindStringSubmatch(s); m != nil {
			base, digits, suffix = 10, m[1], m[2]
		}
		got := ParseNumber(s)
		if got.Kind != NotANumber {
			read++
		}
		if base == 0 {
			if want := float.MatchString(s); want != (got.Kind == FloatNumber || got.Kind == DoubleNumber) {
				t.Fatalf("%q: %+v, a fraction: %v", s, got, want)
			}
			continue
		}
		whole, err := strconv.ParseUint(digits, base, 64)
		if err != nil {
			t.Fatal(err)
		}
		want := Number{Kind: IntNumber, Negative: s[0] == '-' && whole != 0, Whole: whole, Digits: len(strings.TrimLeft(digits, "0")), Base: base}
		if suffix != "" || whole > math.MaxInt32 {
			want.Kind = LongNumber
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", s, diff)
		}
	}
	if read < 1000 {
		t.Errorf("only %d of the texts are numbers", read)
	}
}

// TestParseNumberExamples: what the grammar does not say.
func TestParseNumberExamples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Number{
		"2147483648":            {Kind: LongNumber, Whole: 2147483648, Digits: 10, Base: 10},
		"9223372036854775807":   {Kind: LongNumber, Whole: math.MaxInt64, Digits: 19, Base: 10},
		"-9223372036854775808":  {Kind: BigNumber, Negative: true, Digits: 19, Base: 10},
		"0x7FFFFFFFFFFFFFFFFF":  {Kind: BigNumber, Digits: 18, Base: 16},
		"-0":                    {Kind: IntNumber, Base: 10},
		"1.50e3":                {Kind: FloatNumber, Digits: 3, Scale: 1, Base: 10},
		"-12345678.5":           {Kind: DoubleNumber, Negative: true, Digits: 9, Scale: -1, Base: 10},
		"12345678.5f":           {Kind: FloatNumber, Digits: 9, Scale: -1, Base: 10},
		"1e31":                  {Kind: DoubleNumber, Digits: 1, Scale: 31, Base: 10},
		"2d":                    {Kind: DoubleNumber, Digits: 1, Base: 10},
		"-0.0":                  {Kind: FloatNumber, Base: 10},
		"1.5L":                  {},
		"1e1000":                {},
		"":                      {},
		"-":                     {},
		"99999999999999999999l": {Kind: BigNumber, Digits: 20, Base: 10},
	} {
		if diff := cmp.Diff(want, ParseNumber(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestTaxGoods: worked out by hand from the rules.
func TestTaxGoods(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		list []Good
		want Receipt
	}{
		{nil, Receipt{}},
		{[]Good{{Count: 1, Price: 1499, Rate: 10}, {Count: 2, Price: 500, Rate: 10, Exempt: true}, {Price: 5}},
			Receipt{Net: 2499, Sales: 150, Total: 2649, Lines: 2, Ignored: 1, Dearest: 1649}},
		{[]Good{{Count: 1, Price: 4750, Rate: 10, Imported: true}}, Receipt{Net: 4750, Sales: 475, Import: 240, Total: 5465, Lines: 1, Dearest: 5465}},
		{[]Good{{Count: 2, Price: 60_000, Rate: 101}, {Count: 2, Price: 60_000, Imported: true, Exempt: true}, {Count: 1, Price: 2200, Imported: true}},
			Receipt{Net: 122_200, Import: 6600, Total: 128_800, Lines: 2, Ignored: 1, Dearest: 126_600}},
	} {
		if diff := cmp.Diff(test.want, TaxGoods(test.list)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.list, diff)
		}
	}
}

// TestChargeTransfers: worked out by hand from the rules.
func TestChargeTransfers(t *testing.T) {
	t.Parallel()
	from := Account{ID: 1, Balance: 10_000_000, Free: 50_000}
	for _, test := range []struct {
		transfers []Transfer
		want      Statement
	}{
		{nil, Statement{Balance: 10_000_000, Free: 50_000}},
		{[]Transfer{{2, true, 40_000, NextDayWay}, {2, true, 20_000, SameDayWay}, {3, true, 5_000_000, NextDayWay}},
			Statement{Done: 3, Sent: 5_060_000, Fees: 2530, Surcharge: 20, Balance: 4_937_470}},
		{[]Transfer{{1, true, 5, NextDayWay}, {2, false, 100_001, NextDayWay}, {2, true, 0, InstantWay}, {2, true, 11_000_000, SameDayWay}},
			Statement{Refused: 3, Short: 1, Balance: 10_000_000, Free: 50_000}},
		{[]Transfer{{2, true, 3_000_000, InstantWay}, {2, true, 2_000_001, InstantWay}, {2, true, 1_000_000, InstantWay}},
			Statement{Done: 2, Refused: 1, Sent: 4_000_000, Fees: 2500 + 200 + 1000 + 50, Surcharge: 250, Balance: 5_996_250}},
	} {
		if diff := cmp.Diff(test.want, ChargeTransfers(Orders{from, test.transfers})); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.transfers, diff)
		}
	}
}
