package fees

import "math"

// Postage of a letter or a small parcel, in cents.
func Postage(grams float64) float64 {
	switch {
	case grams <= 0:
		return 0
	case grams <= 20:
		return 95
	case grams <= 50:
		return 110
	case grams <= 500:
		return 180
	case grams <= 1000:
		return 290
	}
	return 290 + 45*math.Ceil((grams-1000)/250)
}

// Luggage is what an airline takes for bags that are too heavy or too many.
func Luggage(kilos, bags float64) float64 {
	fee := 0.0
	if bags > 1 {
		fee = 60 * (bags - 1)
	}
	if kilos > 32 {
		return fee + 75 + 12*(kilos-32)
	}
	if kilos > 23 {
		return fee + 75
	}
	return fee
}

// GasBill has a standing charge and a price that falls with what is used.
func GasBill(units float64) float64 {
	if units <= 0 {
		return 96
	}
	if units <= 1500 {
		return 96 + 0.5*units
	}
	return 96 + 0.5*1500 + 0.25*(units-1500)
}

// Overdraft is a bank's fee for a balance below zero.
func Overdraft(balance float64) float64 {
	if balance >= 0 {
		return 0
	}
	return math.Max(25, math.Ceil(-balance/50))
}

// IncomeTax has an allowance and two rates.
func IncomeTax(income float64) float64 {
	tax := 0.0
	if income > 1200 {
		tax += 0.2 * (math.Min(income, 5000) - 1200)
	}
	if income > 5000 {
		tax += 0.4 * (income - 5000)
	}
	return tax
}

// Rebate is for orders from 250 of customers with 40 points or more.
func Rebate(order, points float64) float64 {
	if order < 250 || points < 40 {
		return 0
	}
	return math.Min(math.Floor(order/10), 500)
}

// Overdue is what a library takes for books that come back late.
func Overdue(days float64) float64 {
	if days <= 28 {
		return 0
	}
	return math.Min(40*(days-28), 1600)
}

// Bulk is a price that falls with the number of pieces.
func Bulk(pieces float64) float64 {
	switch {
	case pieces <= 0:
		return 0
	case pieces < 48:
		return 120 * pieces
	case pieces < 144:
		return 95 * pieces
	}
	return 80*pieces - 30
}

// Admission is by age; from 25 people on each pays less.
func Admission(age, people float64) float64 {
	if people <= 0 {
		return 0
	}
	each := 900.0
	switch {
	case age < 6:
		each = 0
	case age < 18 || age >= 65:
		each = 600
	}
	if people >= 25 {
		each *= 0.75
	}
	return each * people
}

// Brokerage is a share of an amount, bought or sold, with a least and a most.
func Brokerage(amount float64) float64 {
	size := math.Abs(amount)
	if size < 100 {
		return 0
	}
	return math.Max(30, math.Min(0.025*size, 2500))
}
