package programs

// Pair is two whole numbers.
type Pair struct{ A, B int32 }

// Divisor is the greatest that both have; it is not known where 32 bits do not hold it.
type Divisor struct {
	Value int32
	Known bool
}

// GreatestDivisor halves and subtracts, as Stein's algorithm does. Of 0 and n it is n.
func GreatestDivisor(p Pair) Divisor {
	const least = -1 << 31
	a, b := p.A, p.B
	if a == 0 || b == 0 {
		if a == least || b == least {
			return Divisor{}
		}
		sum := a + b
		if sum < 0 {
			sum = -sum
		}
		return Divisor{sum, true}
	}
	// Negative numbers: there is one more of them.
	if a > 0 {
		a = -a
	}
	if b > 0 {
		b = -b
	}
	twos := 0
	for a%2 == 0 && b%2 == 0 && twos < 31 {
		a /= 2
		b /= 2
		twos++
	}
	if twos == 31 {
		return Divisor{}
	}
	rest := a
	if a%2 != 0 {
		rest = b
	} else {
		rest = -(a / 2)
	}
	for {
		for rest%2 == 0 {
			rest /= 2
		}
		if rest > 0 {
			a = -rest
		} else {
			b = rest
		}
		rest = (b - a) / 2
		if rest == 0 {
			break
		}
	}
	return Divisor{-a << twos, true}
}
