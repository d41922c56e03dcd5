package automr

import (
	"go/constant"
	"go/token"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// A number is a constant as it is computed, read and written. Text and Go are of
// the magnitude, without sign.
type number struct {
	value      float64
	text       string // 2π/3, √2/2, 0.25
	code       string // 2*math.Pi/3: the constant expression has exactly this value
	complexity float64
	known      bool // not just digits
}

// bases are the constants of which recognisable numbers are rational multiples.
// The digits are those that any table has; values become float64 only after the
// multiplication, as in the compiler, so that the Go expression is exact.
var bases = []struct {
	text, code, digits string
	numerators         int
	denominators       []int
	complexity         float64
}{
	{"", "", "1", 1000, []int{1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16}, 0},
	{"π", "math.Pi", "3.14159265358979323846264338327950288419716939937510582097494459", 12, []int{1, 2, 3, 4, 6, 8}, 2},
	{"e", "math.E", "2.71828182845904523536028747135266249775724709369995957496696763", 4, []int{1, 2}, 3},
	{"ln 2", "math.Ln2", "0.693147180559945309417232121458176568075500134360255254120680009", 6, []int{1, 2, 3}, 3},
	{"ln 10", "math.Ln10", "2.30258509299404568401799145468436420760110148862877297603332790", 4, []int{1, 2}, 4},
	{"√2", "math.Sqrt2", "1.41421356237309504880168872420969807856967187537694807317667974", 4, []int{1, 2, 4}, 3},
	{"√π", "math.SqrtPi", "1.77245385090551602729816748334114518279754945612238712821380779", 2, []int{1, 2}, 5},
	{"√e", "math.SqrtE", "1.64872127070012814684865078781416357165377610071014801157507931", 1, []int{1}, 5},
	{"√3", "", "1.73205080756887729352744634150587236694280525381038062805580698", 4, []int{1, 2, 3, 4}, 3},
	{"√5", "", "2.23606797749978969640917366873127623544061835961152572427089725", 2, []int{1, 2, 5}, 4},
	{"√10", "", "3.16227766016837933199889354443271853372001735959145370416116", 2, []int{1, 10}, 5},
	{"log₁₀2", "", "0.301029995663981195213738894724493026768189881462108541310427461", 4, []int{1}, 4},
	{"log₁₀3", "", "0.477121254719662437295027903255115309200128864190695864829865640", 3, []int{1}, 4},
	{"ln 3", "", "1.09861228866810969139524523692252570464749055782274945173469433", 3, []int{1, 2}, 4},
	{"ln 5", "", "1.60943791243410037460075933322618763952560135426851772191264789", 3, []int{1, 2}, 5},
	{"log₂3", "", "1.58496250072115618145373894394781650875981440769248106045575265", 3, []int{1}, 5},
	{"log₂10", "", "3.32192809488736234787031942948939017586483139302458061205475640", 2, []int{1}, 5},
	{"e²", "", "7.38905609893065022723042746057500781318031557055184732408712782", 2, []int{1}, 4},
	{"e³", "", "20.0855369231876677409285296545817178969879078385541501443789342", 1, []int{1}, 5},
	{"1/e", "", "0.367879441171442321595523770161460867445811131031767834507836802", 2, []int{1, 2}, 4},
	{"cos 1", "", "0.540302305868139717400936607442976603732310420617922227670097255", 2, []int{1}, 4},
	{"sin 1", "", "0.841470984807896506652502321630298999622563060798371065672751710", 2, []int{1}, 4},
	{"cosh 1", "", "1.54308063481524377847790562075706168260152911236586370473740221", 2, []int{1}, 4},
	{"sinh 1", "", "1.17520119364380145688238185059560081515571798133409587022956541", 2, []int{1}, 4},
}

var numbers = sync.OnceValue(func() []number {
	var all []number
	seen := map[float64]bool{}
	for _, b := range bases {
		digits := constant.MakeFromLiteral(b.digits, token.FLOAT, 0)
		for _, q := range b.denominators {
			for p := 1; p <= b.numerators; p++ {
				if gcd(p, q) != 1 {
					continue
				}
				product := constant.BinaryOp(digits, token.MUL, constant.MakeInt64(int64(p)))
				exact := constant.BinaryOp(product, token.QUO, constant.ToFloat(constant.MakeInt64(int64(q))))
				v, _ := constant.Float64Val(exact)
				if seen[v] {
					continue
				}
				seen[v] = true
				n := number{value: v, known: true, complexity: b.complexity + math.Log2(float64(p)) + 1.5*math.Log2(float64(q))}
				n.text, n.code = spell(b.text, b.code, p, q, v)
				all = append(all, n)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].value < all[j].value })
	return all
})

func spell(text, code string, p, q int, v float64) (string, string) {
	literal := strconv.FormatFloat(v, 'g', -1, 64)
	ps := strconv.Itoa(p)
	if text == "" {
		if q == 1 {
			return ps, ps
		}
		if short := strconv.FormatFloat(v, 'f', -1, 64); len(short) <= 5 && q != 3 && q != 6 {
			if v == 0.5 {
				return "½", "0.5"
			}
			return short, short
		}
		return ps + "/" + strconv.Itoa(q), ps + ".0/" + strconv.Itoa(q)
	}
	if p != 1 {
		text = ps + text
		if strings.Contains(text, " ") || strings.HasPrefix(text, ps+"1") || strings.HasPrefix(text, ps+"l") {
			text = ps + "·" + text[len(ps):]
		}
		if code != "" {
			code = ps + "*" + code
		}
	}
	if q != 1 {
		text += "/" + strconv.Itoa(q)
		if code != "" {
			code += "/" + strconv.Itoa(q)
		}
	}
	if code == "" {
		code = literal
	}
	return text, code
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// recognise is the number that has exactly the value of |v|, or its digits.
func recognise(v float64) number {
	v = math.Abs(v)
	if v == 0 {
		return number{text: "0", code: "0", known: true}
	}
	all := numbers()
	i := sort.Search(len(all), func(i int) bool { return all[i].value >= v })
	if i < len(all) && all[i].value == v {
		return all[i]
	}
	literal := strconv.FormatFloat(v, 'g', -1, 64)
	n := number{value: v, text: readable(v), code: literal, complexity: 4 + float64(len(literal))}
	if v == math.Trunc(v) && v < 1e6 {
		n.known, n.complexity = true, 1+math.Log2(v)
	}
	return n
}

// readable has no exponent where that is bearable, and as many digits as tell
// numbers apart that are not meant to be the same.
func readable(v float64) string {
	if v >= 1e-4 && v < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	mantissa, exponent, found := strings.Cut(s, "e")
	if !found {
		return s
	}
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return s
	}
	power := "10" + superscript(e)
	if mantissa == "1" {
		return power
	}
	return mantissa + "·" + power
}

func superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// snap is the simplest recognisable number within relative distance of v, with
// the sign of v; ok is false if there is none.
func snap(v, distance float64) (snapped float64, ok bool) {
	if v == 0 {
		return 0, true
	}
	size := math.Abs(v)
	if r := math.Round(size); r >= 1 && r < 1e6 && math.Abs(r-size) <= distance*size {
		return math.Copysign(r, v), true
	}
	all := numbers()
	best := -1
	first := sort.Search(len(all), func(i int) bool { return all[i].value >= size*(1-distance) })
	for i := first; i < len(all) && all[i].value <= size*(1+distance); i++ {
		if best < 0 || all[i].complexity < all[best].complexity {
			best = i
		}
	}
	if best < 0 {
		return v, false
	}
	return math.Copysign(all[best].value, v), true
}
