package programs

// NumberKind is the type that a text is read as.
type NumberKind int

// The kinds: the smallest that holds the number.
const (
	NotANumber  NumberKind = iota
	IntNumber              // 32 bits
	LongNumber             // 64 bits
	BigNumber              // beyond that
	FloatNumber            // at most 7 digits
	DoubleNumber
)

// Number is what a text says.
type Number struct {
	Kind     NumberKind
	Negative bool
	Whole    uint64 // of IntNumber and LongNumber, without its sign
	Digits   int    // significant ones
	Scale    int    // the power of ten that the digits are to be multiplied with
	Base     int
}

// ParseNumber reads a number as programs write it: 12, -0x1F, 017, 12L, 1.5e3, 2f.
func ParseNumber(text string) Number {
	n := Number{Base: 10}
	if text == "" {
		return Number{}
	}
	if text[0] == '-' || text[0] == '+' {
		n.Negative = text[0] == '-'
		text = text[1:]
	}
	text = numberBase(text, &n)
	if text == "" {
		return Number{}
	}
	if n.Base != 10 {
		return numberWhole(text, 0, n)
	}
	var suffix byte
	switch last := text[len(text)-1]; last {
	case 'l', 'L', 'f', 'F', 'd', 'D':
		suffix = last
		text = text[:len(text)-1]
	}
	point, power := -1, -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '.':
			if point >= 0 || power >= 0 {
				return Number{}
			}
			point = i
		case c == 'e' || c == 'E':
			if power >= 0 {
				return Number{}
			}
			power = i
		}
	}
	if point < 0 && power < 0 && (suffix == 0 || suffix == 'l' || suffix == 'L') {
		return numberWhole(text, suffix, n)
	}
	if suffix == 'l' || suffix == 'L' {
		return Number{}
	}
	return numberReal(text, point, power, suffix, n)
}

// numberBase takes the prefix away that names the base.
func numberBase(text string, n *Number) string {
	if len(text) > 1 && text[0] == '0' {
		if text[1] == 'x' || text[1] == 'X' {
			n.Base = 16
			return text[2:]
		}
		if text[1] >= '0' && text[1] <= '9' {
			n.Base = 8
			return text[1:]
		}
	}
	if len(text) > 0 && text[0] == '#' {
		n.Base = 16
		return text[1:]
	}
	return text
}

// numberDigit is the value of a digit, or -1.
func numberDigit(c byte, base int) int {
	d := -1
	switch {
	case c >= '0' && c <= '9':
		d = int(c - '0')
	case c >= 'a' && c <= 'f':
		d = int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		d = int(c-'A') + 10
	}
	if d >= base {
		return -1
	}
	return d
}

// numberWhole reads digits alone.
func numberWhole(text string, suffix byte, n Number) Number {
	large := false
	for i := 0; i < len(text); i++ {
		d := numberDigit(text[i], n.Base)
		if d < 0 {
			return Number{}
		}
		if n.Digits > 0 || d > 0 {
			n.Digits++
		}
		if n.Whole > (1<<63-1-uint64(d))/uint64(n.Base) {
			large = true
		}
		n.Whole = n.Whole*uint64(n.Base) + uint64(d)
	}
	if text == "" {
		return Number{}
	}
	switch {
	case large:
		n.Kind, n.Whole = BigNumber, 0
	case suffix != 0 || n.Whole > 1<<31-1:
		n.Kind = LongNumber
	default:
		n.Kind = IntNumber
	}
	if n.Whole == 0 && !large {
		n.Negative = false
	}
	return n
}

// numberReal reads a number with a point, a power of ten or a suffix.
func numberReal(text string, point, power int, suffix byte, n Number) Number {
	end := len(text)
	if power >= 0 {
		sum, ok := numberPower(text[power+1:])
		if !ok {
			return Number{}
		}
		n.Scale = sum
		end = power
	}
	seen := 0
	for i := 0; i < end; i++ {
		if i == point {
			continue
		}
		d := numberDigit(text[i], 10)
		if d < 0 {
			return Number{}
		}
		seen++
		if n.Digits > 0 || d > 0 {
			n.Digits++
		}
		if point >= 0 && i > point {
			n.Scale--
		}
	}
	if seen == 0 {
		return Number{}
	}
	n.Kind = DoubleNumber
	if suffix == 'f' || suffix == 'F' {
		n.Kind = FloatNumber
	} else if suffix == 0 && n.Digits <= 7 && n.Scale >= -38 && n.Scale <= 30 {
		n.Kind = FloatNumber
	}
	if n.Digits == 0 {
		n.Scale, n.Negative = 0, false
	}
	return n
}

// numberPower reads the power of ten.
func numberPower(text string) (sum int, ok bool) {
	sign := 1
	if text != "" && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	if text == "" || len(text) > 3 {
		return 0, false
	}
	for i := 0; i < len(text); i++ {
		d := numberDigit(text[i], 10)
		if d < 0 {
			return 0, false
		}
		sum = sum*10 + d
	}
	return sign * sum, true
}
