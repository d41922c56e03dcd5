//go:build go1.21

package harness

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Plain makes strings and numbers from what the code, its tests and the change
// contain.
type Plain struct {
	texts   [][]string // by nearness to the change: 0 nearest
	numbers [][]int64
	floats  []float64
	tokens  []string
	follows map[string][]string // tokens seen behind a token, "" for the beginning
	fields  []string            // see fieldNames; nil before anybody asks
	encoded []string            // see encodedTexts; nil before anybody asks
	files   []string            // see fileNames; nil before anybody asks
	read    [][2]string         // names and contents of files that tests read
	folders [][]File            // see projects; nil before anybody asks
	telling []string            // see tell
	kinds   [][2]string         // languages and texts in them, see ofKind
	tried   []string            // texts with which authors of dependencies try what they changed
	hosts   []string            // texts of this module's tests that such texts are put into
	homes   map[string][]nook   // see nooks
	niches  *hostParts          // of hosts, see nooks
	turn    int                 // of tried, the next one
}

// maxText bounds the texts made.
const maxText = 2048

// NewPlain makes an empty dictionary.
func NewPlain() *Plain {
	return &Plain{texts: make([][]string, wire.Nears), numbers: make([][]int64, wire.Nears), follows: map[string][]string{}}
}

// AddText takes a text into the dictionary, and learns which of its tokens
// follow which.
func (p *Plain) AddText(near int, s string) {
	if len(s) > maxText || near < 0 || near >= wire.Nears {
		return
	}
	p.texts[near], p.fields, p.encoded, p.files = append(p.texts[near], s), nil, nil, nil
	last := ""
	for i, t := range tokenize(s) {
		if i == 64 {
			break
		}
		p.tokens = append(p.tokens, t)
		key := class(last)
		if f := p.follows[key]; len(f) < 256 {
			p.follows[key] = append(f, t)
		}
		last = t
	}
}

// AddNumber takes a number into the dictionary.
func (p *Plain) AddNumber(near int, n int64) {
	if near >= 0 && near < wire.Nears {
		p.numbers[near] = append(p.numbers[near], n)
	}
}

// AddFloat takes a floating-point number into the dictionary.
func (p *Plain) AddFloat(f float64) { p.floats = append(p.floats, f) }

func (p *Plain) addFloat(s string) {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		p.AddFloat(f)
	}
}

// class is the kind of a token: what a grammar would call it.
func class(token string) string {
	if token == "" {
		return ""
	}
	r, _ := utf8.DecodeRuneInString(token)
	switch {
	case unicode.IsLetter(r) || r == '_':
		return "a"
	case unicode.IsDigit(r):
		return "0"
	case unicode.IsSpace(r):
		return " "
	}
	return token
}

// tokenize splits a text into words, numbers, white space and single marks.
func tokenize(s string) []string {
	var out []string
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		k := kindOf(r)
		if k != 0 {
			for n < len(s) {
				r, m := utf8.DecodeRuneInString(s[n:])
				if kindOf(r) != k {
					break
				}
				n += m
			}
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func kindOf(r rune) int {
	switch {
	case unicode.IsLetter(r) || r == '_':
		return 1
	case unicode.IsDigit(r):
		return 2
	case unicode.IsSpace(r):
		return 3
	}
	return 0
}

var usualTexts = []string{"", "a", "A", "0", "1", "-1", " ", "\n", "abc", "a b", "é", "世界", "\x00", "\xff", "a,b", "a.b", "a/b", "0x1F", "1e3", "true", "null", "\u00a0", "ab\ncd", "\t", "\"", "'", "\\", "{}", "[]", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "Hello, World"}

// known picks a text of the dictionary, near ones more often.
func (p *Plain) known(r *Rand) string {
	for try := 0; try < 3; try++ {
		near := wire.NearTests
		switch x := r.Intn(100); {
		case x < 25:
			near = wire.NearDiff
		case x < 45:
			near = wire.NearCode
		}
		if list := p.texts[near]; len(list) > 0 {
			return list[r.Intn(len(list))]
		}
	}
	return usualTexts[r.Intn(len(usualTexts))]
}

// String makes a text; like is one seen at the same place, "" where there is
// none.
func (p *Plain) String(r *Rand, like string) string {
	if len(p.telling) > 0 && r.Chance(25) {
		return p.tell(r, like)
	}
	if len(p.tried) > 0 && r.Chance(16) {
		return p.try(r, like)
	}
	if isCommandLine(like) && r.Chance(60) {
		return p.commandLine(r, like)
	}
	if like != "" && r.Chance(12) {
		return p.varied(r, like, p.known(r))
	}
	s := like
	if s == "" || r.Chance(15) {
		s = p.known(r)
		if r.Chance(35) {
			return s
		}
	}
	switch {
	case r.Chance(8):
		return usualTexts[r.Intn(len(usualTexts))]
	case r.Chance(12):
		return p.learned(r)
	}
	for n := 1 + r.few(3); n > 0; n-- {
		s = p.change(r, s)
	}
	if len(s) > maxText {
		s = s[:maxText]
	}
	return s
}

// tell is a text with which functions of a dependency are known to differ: as it is, a
// little changed, or in the place of a part of a text that callers give.
func (p *Plain) tell(r *Rand, like string) string {
	t := p.telling[r.Intn(len(p.telling))]
	tokens := tokenize(like)
	switch {
	case r.Chance(50):
		return t
	case r.Chance(35):
		return p.amid(r, like, t)
	case len(tokens) == 0 || r.Chance(30):
		return p.change(r, t)
	}
	at := p.part(r, tokens)
	s := strings.Join(tokens[:at[0]], "") + t + strings.Join(tokens[at[1]:], "")
	if len(s) > maxText {
		return t
	}
	return s
}

// learned walks along tokens that follow one another in the dictionary.
func (p *Plain) learned(r *Rand) string {
	var b strings.Builder
	last := ""
	for n := 2 + r.Intn(12); n > 0 && b.Len() < maxText; n-- {
		next := p.follows[class(last)]
		if len(next) == 0 {
			break
		}
		last = next[r.Intn(len(next))]
		b.WriteString(last)
	}
	if b.Len() > maxText {
		return b.String()[:maxText]
	}
	return b.String()
}

// change makes one small change.
func (p *Plain) change(r *Rand, s string) string {
	tokens := tokenize(s)
	if len(tokens) == 0 {
		return p.known(r)
	}
	if u, ok := cutURL(s); ok && r.Chance(15) {
		return otherURL(r, u)
	}
	at := r.Intn(len(tokens))
	join := func(t []string) string { return strings.Join(t, "") }
	insert := func(t string) string { return join(tokens[:at]) + t + join(tokens[at:]) }
	switch r.Intn(35) {
	case 0: // drop a token
		return join(tokens[:at]) + join(tokens[at+1:])
	case 1: // double it
		return insert(tokens[at])
	case 2: // put another one in its place
		tokens[at] = p.token(r, tokens[at])
		return join(tokens)
	case 3: // put one in
		return insert(p.token(r, ""))
	case 4: // cut off
		if r.Chance(50) {
			return join(tokens[at:])
		}
		return join(tokens[:at])
	case 5: // splice with another text
		other := tokenize(p.known(r))
		k := r.Intn(len(other) + 1)
		return join(tokens[:at]) + join(other[k:])
	case 6: // swap
		k := r.Intn(len(tokens))
		tokens[at], tokens[k] = tokens[k], tokens[at]
		return join(tokens)
	case 7: // repeat a stretch
		k := at + 1 + r.few(6)
		if k > len(tokens) {
			k = len(tokens)
		}
		return insert(join(tokens[at:k]))
	case 8: // a byte
		b := []byte(s)
		i := r.Intn(len(b))
		switch r.Intn(3) {
		case 0:
			b[i] ^= 1 << r.Intn(8)
		case 1:
			b = append(b[:i], b[i+1:]...)
		default:
			b = append(b[:i], append([]byte{b[i]}, b[i:]...)...)
		}
		return string(b)
	case 9: // the number in it
		for i := range tokens {
			k := (at + i) % len(tokens)
			if class(tokens[k]) == "0" {
				tokens[k] = p.digits(r, tokens[k])
				return join(tokens)
			}
		}
		return insert(p.token(r, ""))
	case 10: // upper or lower case
		if r.Chance(50) {
			return strings.ToUpper(s)
		}
		return strings.ToLower(s)
	case 11:
		return s + p.known(r)
	case 12: // put a token of the same class where another stands, at all places
		old := tokens[at]
		by := p.token(r, old)
		if r.Chance(50) {
			by = another(r, tokens, old) // two names become one
		}
		for i := range tokens {
			if tokens[i] == old {
				tokens[i] = by
			}
		}
		return join(tokens)
	case 13:
		return s + s
	case 14: // lines
		return p.lines(r, s)
	case 15, 16: // one of its own tokens at another place: a name twice, say
		return p.repeated(r, tokens, at)
	case 17:
		return p.joined(r, s)
	case 18:
		return p.wrapped(r, tokens, at)
	case 19, 20:
		if list := verbs(tokens); len(list) > 0 && r.Chance(70) {
			return p.verb(r, tokens, list)
		}
		return insert(p.odd(r))
	case 21, 22, 23: // what the change looks for
		t := p.mark(r)
		if r.Chance(30) {
			t += p.mark(r)
		}
		if r.Chance(35) {
			tokens[at] = t
			return join(tokens)
		}
		return insert(t)
	case 24:
		return lineEnds(r, s)
	case 25, 26, 27, 28:
		return p.entries(r, tokens, tokenize(p.known(r)))
	}
	// A part by another part, brackets and quotes kept whole: what stands in
	// one place of a language can often stand in others.
	return p.graft(r, tokens)
}

// graft puts a part of a known text, or of this one, into the place of another
// part.
func (p *Plain) graft(r *Rand, tokens []string) string {
	from := tokens
	if r.Chance(65) {
		if other := tokenize(p.known(r)); len(other) > 0 {
			from = other
		}
	}
	at, part := p.part(r, tokens), p.part(r, from)
	end := at[1]
	if r.Chance(25) {
		end = at[0] // put in, nothing taken out
	}
	return strings.Join(tokens[:at[0]], "") + strings.Join(from[part[0]:part[1]], "") + strings.Join(tokens[end:], "")
}

// part picks a token, or a stretch between brackets or quotes, these included
// or left out.
func (p *Plain) part(r *Rand, tokens []string) [2]int {
	i := r.Intn(len(tokens))
	if all := groups(tokens); len(all) > 0 && r.Chance(55) {
		g := all[r.Intn(len(all))]
		if g[1]-g[0] > 2 && r.Chance(25) {
			return [2]int{g[0] + 1, g[1] - 1}
		}
		return g
	}
	end := i + 1 + r.few(4)
	if end > len(tokens) {
		end = len(tokens)
	}
	return [2]int{i, end}
}

// groups finds the stretches between matching brackets and quotes.
func groups(tokens []string) [][2]int {
	var out [][2]int
	var open []int
	quote := -1
	for i, t := range tokens {
		if t == `"` || t == "'" || t == "`" {
			switch {
			case quote < 0:
				quote = i
			case tokens[quote] == t:
				out = append(out, [2]int{quote, i + 1})
				quote = -1
			}
			continue
		}
		if quote >= 0 {
			continue
		}
		switch t {
		case "(", "[", "{", "<":
			open = append(open, i)
		case ")", "]", "}", ">":
			if n := len(open); n > 0 && strings.Index("([{<", tokens[open[n-1]]) == strings.Index(")]}>", t) {
				out = append(out, [2]int{open[n-1], i + 1})
				open = open[:n-1]
			}
		}
	}
	return out
}

// another is a token of the same class as one, and of the same text, which that one becomes.
func another(r *Rand, tokens []string, old string) string {
	at := r.Intn(len(tokens))
	for i := range tokens {
		if t := tokens[(at+i)%len(tokens)]; t != old && class(t) == class(old) {
			return t
		}
	}
	return old
}

// token picks a token; where like is given, one of its class more often.
func (p *Plain) token(r *Rand, like string) string {
	for try := 0; try < 6 && len(p.tokens) > 0; try++ {
		t := p.tokens[r.Intn(len(p.tokens))]
		if like == "" || class(t) == class(like) || r.Chance(15) {
			return t
		}
	}
	if class(like) == "0" {
		return p.digits(r, like)
	}
	const marks = ".,:;-+*/\\()[]{}<>\"'`=!?#%&|^~@$ \n\t0a_"
	i := r.Intn(len(marks))
	return marks[i : i+1]
}

// digits changes a number written in digits.
func (p *Plain) digits(r *Rand, s string) string {
	var b []byte
	switch r.Intn(9) {
	case 7, 8: // a number that the code knows, or its neighbour
		if list := p.numbers[r.Intn(wire.Nears)]; len(list) > 0 {
			return p.numeral(r, list[r.Intn(len(list))])
		}
		return "0"
	case 0:
		return "0"
	case 1:
		return "0" + s
	case 2:
		return s + "0"
	case 3:
		return usualNumerals[r.Intn(len(usualNumerals))]
	case 4:
		if len(s) > 1 {
			return s[1:]
		}
		return s + s
	}
	b = []byte(s)
	if i := r.Intn(len(b)); b[i] >= '0' && b[i] <= '9' {
		b[i] = '0' + byte(r.Intn(10))
	}
	return string(b)
}

// usualNumerals are numbers as languages write them: ends of ranges, other bases, fractions, with a sign, an exponent,
// or marks between the digits.
var usualNumerals = []string{
	"1", "2", "9", "10", "12", "31", "59", "60", "99", "100", "255", "256", "999", "1000", "65536", "2147483648", "9223372036854775807", "18446744073709551616",
	"0x1F", "0b11", "0o17", "017", "08", "1_000", "1e3", "1E-2", "1.5", ".5", "1.", "-1", "+1", "-0",
}

// numeral is a number, or one next to it, in digits.
func (p *Plain) numeral(r *Rand, n int64) string {
	n += int64(r.Intn(3) / 2 * (r.Intn(3) - 1))
	switch r.Intn(8) {
	case 0:
		return strconv.FormatInt(n, 16)
	case 1:
		return fmt.Sprintf("%#x", n)
	}
	return strconv.FormatInt(n, 10)
}

var usualInts = []int64{0, 1, -1, 2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 1000, -2, -10}

var edges = []int64{math.MaxInt8, math.MinInt8, math.MaxUint8, math.MaxInt16, math.MinInt16, math.MaxUint16,
	math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, 1 << 31, 1 << 53}

const fewNumbers = 12

// Int makes an integer of so many bits; like is one seen at the same place.
func (p *Plain) Int(r *Rand, like int64, bits int) int64 {
	switch x := r.Intn(100); {
	case x < 22:
		return like + int64(r.Intn(5)-2)
	case x < 50:
		near := wire.NearTests
		if r.Chance(40) {
			near = r.Intn(wire.Nears)
		}
		// Few numbers hardly say more than any small one: a length, say.
		if list := p.numbers[near]; len(list) > 0 && (len(list) > fewNumbers || r.Chance(60)) {
			return list[r.Intn(len(list))] + int64(r.Intn(3)/2*(r.Intn(3)-1))
		}
		return int64(r.Intn(12))
	case x < 70:
		return usualInts[r.Intn(len(usualInts))]
	case x < 76:
		return edges[r.Intn(len(edges))]
	case x < 80:
		return like * 2
	case x < 84:
		return -like
	case x < 88:
		return like / 2
	case x < 94:
		return int64(r.Intn(200))
	case x < 97:
		return like ^ 1<<r.Intn(bits)
	}
	return int64(r.Uint64() >> r.Intn(64))
}

var usualFloats = []float64{0, 1, -1, 0.5, 2, 10, 0.1, -0.1, 1.5, 100, 1e-9, 1e9, 1e21, 123.456, math.Pi,
	math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 0.3, 2.675}

// Float makes a floating-point number.
func (p *Plain) Float(r *Rand, like float64) float64 {
	switch x := r.Intn(100); {
	case x < 20 && len(p.floats) > 0:
		return p.floats[r.Intn(len(p.floats))]
	case x < 55:
		return usualFloats[r.Intn(len(usualFloats))]
	case x < 65:
		return -like
	case x < 72:
		return like * 10
	case x < 79:
		return like / 10
	case x < 85:
		return like + 1
	case x < 90:
		return math.Nextafter(like, math.Inf(1))
	case x < 95:
		return float64(p.Int(r, int64(like), 32))
	}
	return math.Float64frombits(r.Uint64())
}
