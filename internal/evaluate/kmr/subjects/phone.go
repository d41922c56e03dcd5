package subjects

// PhonePlan is what a customer signed up for.
type PhonePlan int

// The plans.
const (
	TalkPlan PhonePlan = iota
	DataPlan
)

// PhoneMonth is what a customer used in one month.
type PhoneMonth struct {
	Plan      PhonePlan
	Bundle    int // 0 to 3: how much is included
	Minutes   int // at home
	Abroad    int // minutes
	Texts     int
	Megabytes int
	Years     int // that the customer has been one
}

// PhoneBill is what the month costs, in cents.
type PhoneBill struct {
	Fee, Calls, Abroad, Texts, Data int
	Discount, Total                 int
	Throttled                       bool // data became slow instead of dearer
}

// BillPhone computes the bill of one month.
func BillPhone(m PhoneMonth) PhoneBill {
	fee, minutes, megabytes := phoneBundle(m.Plan, m.Bundle)
	b := PhoneBill{Fee: fee}
	b.Calls = phoneCalls(m.Plan, m.Minutes-minutes)
	b.Abroad = phoneAbroad(m.Bundle, m.Abroad)
	if m.Texts > 50 {
		b.Texts = 7 * (m.Texts - 50)
		if b.Texts > 700 {
			b.Texts = 700
		}
	}
	if m.Megabytes > megabytes {
		started := (m.Megabytes - megabytes + 99) / 100
		b.Data = 120 * started
		if m.Plan == DataPlan {
			b.Data = 80 * started
		}
		if b.Data >= 2400 {
			b.Data = 2400
			b.Throttled = true
		}
	}
	switch {
	case m.Years >= 5:
		b.Discount = (b.Fee + b.Calls) / 10
	case m.Years >= 2:
		b.Discount = b.Fee / 20
	}
	if m.Years >= 1 && b.Calls == 0 && !b.Throttled {
		b.Discount += 100
	}
	b.Total = b.Fee + b.Calls + b.Abroad + b.Texts + b.Data - b.Discount
	return b
}

// phoneBundle returns the fee and what it includes.
func phoneBundle(plan PhonePlan, bundle int) (fee, minutes, megabytes int) {
	switch bundle {
	case 0:
		fee, minutes, megabytes = 900, 60, 200
	case 1:
		fee, minutes, megabytes = 1900, 200, 500
	case 2:
		fee, minutes, megabytes = 2900, 500, 1000
	default:
		fee, minutes, megabytes = 3900, 1000, 2000
	}
	if plan == DataPlan {
		fee += 500
		minutes /= 2
		megabytes *= 8
	}
	return fee, minutes, megabytes
}

// phoneCalls prices the minutes at home that no bundle includes.
func phoneCalls(plan PhonePlan, over int) int {
	if over <= 0 {
		return 0
	}
	if plan == DataPlan {
		return 15 * over
	}
	if over > 600 { // those who talk much pay less for the rest
		return 9*600 + 4*(over-600)
	}
	return 9 * over
}

// phoneAbroad prices minutes abroad; the largest bundle includes some.
func phoneAbroad(bundle, minutes int) int {
	if bundle == 3 {
		minutes -= 30
	}
	if minutes < 0 {
		minutes = 0
	}
	rate := 45
	if minutes > 120 {
		return 120*rate + (minutes-120)*30
	}
	return minutes * rate
}
