package properties

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func number() properties.Subject {
	return properties.Definition[string, programs.Number]{
		Name: "number", Run: programs.ParseNumber, Random: randomNumber, Relations: numberRelations(),
	}
}

func randomNumber(r *rand.Rand) string {
	digits := func(most int, of string) string {
		out := make([]byte, r.IntN(most+1))
		for i := range out {
			out[i] = of[r.IntN(len(of))]
		}
		return string(out)
	}
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	const ten = "0123456789"
	text := pick("", "", "-", "+")
	most := []int{3, 9, 11, 21}[r.IntN(4)]
	switch r.IntN(8) {
	case 0:
		text += pick("0x", "0X", "#") + digits(most, ten+"abcdefABCDEF")
	case 1:
		text += "0" + digits(most, "01234567")
	case 2, 3:
		text += digits(most, ten) + pick("", "", "L", "l", "f")
	case 4:
		text += pick("0", digits(1, ten)) + pick(".", ".", "..", "") + digits(9, ten) + pick("", "e", "E") + pick("", "+", "-") + digits(4, ten) + pick("", "d", "F", "L")
	default:
		text += digits(1, "123456789") + digits(most/3, ten) + pick(".", "") + digits(most/2, ten) + pick("", "", "e", "E-", "e+") + digits(2, ten) + pick("", "", "f", "D")
	}
	if r.IntN(12) == 0 {
		at := r.IntN(len(text) + 1)
		text = text[:at] + pick("x", "-", " ", ".", "e", "9") + text[at:]
	}
	return text
}

var (
	unsigned    = regexp.MustCompile(`^[^-+]`)
	decimal     = regexp.MustCompile(`^[-+]?[1-9][0-9]*$`)
	octal       = regexp.MustCompile(`^([-+]?0)([0-9]+)$`)
	hexadecimal = regexp.MustCompile(`^([-+]?)(0[xX]|#)([0-9a-fA-F]+)$`)
	pointed     = regexp.MustCompile(`^([-+]?[1-9][0-9]*)\.([0-9]+)$`)
	small       = regexp.MustCompile(`^([-+]?)0\.([0-9]+)([eE][-+]?[0-9]{1,2})?$`)
	powered     = regexp.MustCompile(`^([-+]?[1-9][0-9]*\.[0-9]*[eE])\+?([0-9]{1,2})$`)
)

func numberRelations() []relation[string, programs.Number] {
	type (
		in  = string
		out = programs.Number
	)
	// matching is a relation for texts of one form.
	matching := func(name string, form *regexp.Regexp, change func(m []string) string, holds func(a, b out) bool) relation[in, out] {
		return pair(name, func(text in, _ *rand.Rand) (in, bool) {
			m := form.FindStringSubmatch(text)
			if m == nil {
				return "", false
			}
			return change(m), true
		}, holds)
	}
	whole := func(n out) bool { return n.Kind == programs.IntNumber || n.Kind == programs.LongNumber }
	read := func(n out) bool { return n.Kind != programs.NotANumber }
	// suffixed is a number with a suffix that says its kind.
	suffixed := func(name, suffix string, kind programs.NumberKind) relation[in, out] {
		return matching(name, pointed, func(m []string) string { return m[0] + suffix }, func(a, b out) bool {
			a.Kind = kind
			return a == b
		})
	}
	digit := func(name string, form *regexp.Regexp, base uint64) relation[in, out] {
		return matching(name, form, func(m []string) string { return m[0] + "7" }, func(a, b out) bool {
			if a.Kind > b.Kind || !read(b) || b.Base != int(base) {
				return false
			}
			if whole(b) && (b.Whole != base*a.Whole+7 || !whole(a)) {
				return false
			}
			return b.Digits == a.Digits+1 && (a.Digits == 0 || b.Negative == a.Negative)
		})
	}
	return []relation[in, out]{
		pair("a minus", func(text in, _ *rand.Rand) (in, bool) { return "-" + text, unsigned.MatchString(text) },
			func(a, b out) bool { a.Negative = a.Digits > 0; return a == b }),
		pair("a plus", func(text in, _ *rand.Rand) (in, bool) { return "+" + text, unsigned.MatchString(text) }, equal[out]),
		pair("two signs", func(text in, r *rand.Rand) (in, bool) {
			return []string{"-", "+"}[r.IntN(2)] + text, text != "" && !unsigned.MatchString(text)
		}, func(_, b out) bool { return b == out{} }),
		pair("small letters", func(text in, _ *rand.Rand) (in, bool) { return strings.ToLower(text), true }, equal[out]),
		pair("large letters", func(text in, _ *rand.Rand) (in, bool) { return strings.ToUpper(text), true }, equal[out]),
		several("letters that are no digits", func(text in, _ *rand.Rand) []in { return []in{text + "z", "z" + text, text + "%"} },
			func(o []out) bool { return o[1] == o[2] && o[2] == o[3] && o[1] == out{} }),
		matching("zeros in front, sixteen", hexadecimal, func(m []string) string { return m[1] + m[2] + "00" + m[3] }, equal[out]),
		matching("another prefix", hexadecimal, func(m []string) string {
			if m[2] == "#" {
				return m[1] + "0x" + m[3]
			}
			return m[1] + "#" + m[3]
		}, equal[out]),
		matching("zeros in front, eight", octal, func(m []string) string { return m[1] + "0" + m[2] }, equal[out]),
		relation[in, out]{Name: "in other bases", Follow: func(text in, _ *rand.Rand) []in {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || !decimal.MatchString(text) {
				return nil
			}
			sign := ""
			if n < 0 {
				sign = "-"
				n = -n
			}
			if n < 0 {
				return nil
			}
			return []in{fmt.Sprintf("%s0x%x", sign, n), fmt.Sprintf("%s0%o", sign, n)}
		}, Holds: func(_ []in, o []out) bool {
			return o[0].Whole == o[1].Whole && o[1].Whole == o[2].Whole && o[0].Kind == o[1].Kind && o[1].Kind == o[2].Kind &&
				o[0].Negative == o[1].Negative && o[1].Negative == o[2].Negative && o[1].Base == 16 && o[2].Base == 8 && o[0].Base == 10
		}},
		digit("one digit more", decimal, 10),
		digit("one digit more, sixteen", hexadecimal, 16),
		matching("an L", decimal, func(m []string) string { return m[0] + "L" }, func(a, b out) bool {
			if a.Kind == programs.IntNumber {
				a.Kind = programs.LongNumber
			}
			return a == b
		}),
		matching("no L behind a fraction", pointed, func(m []string) string { return m[0] + "l" }, func(a, b out) bool {
			return read(a) && b == out{}
		}),
		suffixed("a D", "d", programs.DoubleNumber),
		suffixed("an F", "F", programs.FloatNumber),
		matching("a zero behind", pointed, func(m []string) string { return m[0] + "0" }, func(a, b out) bool {
			ok := a.Kind <= b.Kind && read(a)
			a.Digits++
			a.Scale--
			a.Kind = b.Kind
			return ok && a == b
		}),
		matching("the point moved", pointed, func(m []string) string { return fmt.Sprintf("%s%se-%d", m[1], m[2], len(m[2])) }, equal[out]),
		matching("ten to the power of zero", pointed, func(m []string) string { return m[0] + "e0" }, equal[out]),
		matching("a whole number with a power", decimal, func(m []string) string { return m[0] + "e0" }, func(a, b out) bool {
			return b.Kind >= programs.FloatNumber && a.Digits == b.Digits && a.Negative == b.Negative && b.Scale == 0 && read(a)
		}),
		several("the next power", func(text in, _ *rand.Rand) []in {
			if !pointed.MatchString(text) {
				return nil
			}
			return []in{text + "e7", text + "e+08", text + "E-2"}
		}, func(o []out) bool {
			return o[2].Scale == o[1].Scale+1 && o[1].Scale == o[0].Scale+7 && o[3].Scale == o[0].Scale-2 && o[1].Digits == o[0].Digits && o[3].Digits == o[0].Digits
		}),
		matching("ten times as much", powered, func(m []string) string {
			n, _ := strconv.Atoi(m[2]) // two digits
			return m[1] + strconv.Itoa(n+1)
		}, func(a, b out) bool {
			return read(a) && b.Scale == a.Scale+1 && b.Digits == a.Digits && b.Kind >= a.Kind
		}),
		matching("without the zero in front", small, func(m []string) string { return m[1] + "." + m[2] + m[3] }, equal[out]),
		matching("a second point", pointed, func(m []string) string { return m[0] + ".5" }, func(_, b out) bool { return b == out{} }),
		matching("a second power", powered, func(m []string) string { return m[0] + "e1" }, func(_, b out) bool { return b == out{} }),
		matching("a point in a power", powered, func(m []string) string { return m[0] + ".1" }, func(_, b out) bool { return b == out{} }),
		matching("a power of too many digits", pointed, func(m []string) string { return m[0] + "e1000" }, func(_, b out) bool { return b == out{} }),
	}
}
