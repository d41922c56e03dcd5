package properties

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/subjects"
)

type (
	trip  = subjects.Trip
	repay = subjects.Reimbursement
)

// expenseRate is what a night may cost.
func expenseRate(t trip) int {
	return [3]int{9000, 12000, 18000}[t.Grade] + 4000*index(t.BigCity)
}

func expense() Subject {
	return Definition[trip, repay]{
		Name: "expense", Run: subjects.Reimburse,
		Random: func(r *rand.Rand) trip {
			t := trip{Grade: subjects.Grade(r.IntN(3)), BigCity: r.IntN(2) == 0, Receipts: r.IntN(2) == 0}
			t.Days = between(r, 1, 8)
			t.Nights = r.IntN(t.Days)
			rate := expenseRate(t)
			t.Hotel = amount(r, 40_000, rate)
			t.Meals = amount(r, 60_000, 5600)
			t.Invited = amount(r, 5)
			t.Miles = amount(r, 900, 20, 500)
			t.Fare = amount(r, 120_000, 5000)
			t.Advance = amount(r, 200_000)
			if r.IntN(6) == 0 {
				t.Fare += 200_000
			}
			return t
		},
		In: []Category[trip]{
			{"grade", []string{"staff", "manager", "director"}, func(t trip) int { return int(t.Grade) }},
			{"receipts", []string{"no", "yes"}, func(t trip) int { return index(t.Receipts) }},
			{"hotel", []string{"none", "within", "above"}, func(t trip) int {
				if t.Nights == 0 {
					return 0
				}
				return 1 + band(t.Hotel, expenseRate(t))
			}},
			{"miles", []string{"few", "some", "many"}, func(t trip) int { return band(t.Miles, 20, 500) }},
		},
		Out: []Category[repay]{
			{"balance", []string{"payable", "owed"}, func(x repay) int { return band(x.Owed, 0) }},
			{"approval", []string{"none", "superior", "board"}, func(x repay) int { return x.Approval }},
		},
		Relations: expenseRelations(),
	}
}

func expenseRelations() []Relation[trip, repay] {
	type rel = Relation[trip, repay]
	return []rel{
		{"nights cost the same", proportional, func(t trip, r *rand.Rand) []trip {
			x := t
			x.Nights = between(r, 1, 9)
			return []trip{x}
		}, func(in []trip, o []repay) bool { return o[0].Hotel*in[1].Nights == o[1].Hotel*in[0].Nights }},
		one("without nights", partDifference, func(t *trip, _ *rand.Rand) bool { t.Nights = 0; return true },
			func(a, b repay) bool { return a.Allowed-b.Allowed == a.Hotel && b.Hotel == 0 }),
		one("more nights", notLess, func(t *trip, r *rand.Rand) bool { t.Nights += between(r, 1, 4); return true },
			func(a, b repay) bool { return b.Allowed >= a.Allowed && b.Own >= a.Own && b.Approval >= a.Approval }),
		one("a big city is dearer", notLess, func(t *trip, _ *rand.Rand) bool {
			ok := !t.BigCity
			t.BigCity = true
			return ok
		}, func(a, b repay) bool { return b.Hotel >= a.Hotel && b.Own <= a.Own && b.Meals == a.Meals }),
		{"a cheap hotel is paid in full", difference, func(t trip, r *rand.Rand) []trip {
			if t.Hotel > expenseRate(t) || t.Hotel == 0 {
				return nil
			}
			x := t
			x.Hotel = r.IntN(t.Hotel)
			return []trip{x}
		}, func(in []trip, o []repay) bool {
			return o[0].Allowed-o[1].Allowed == in[0].Nights*(in[0].Hotel-in[1].Hotel) && o[0].Own == o[1].Own
		}},
		one("a dearer hotel", notLess, func(t *trip, r *rand.Rand) bool { t.Hotel += between(r, 100, 20_000); return true },
			func(a, b repay) bool { return b.Hotel >= a.Hotel && b.Own >= a.Own && b.Allowed >= a.Allowed }),
		one("what is above the rate is the employee's", partEqual, func(t *trip, r *rand.Rand) bool {
			ok := t.Hotel >= expenseRate(*t) && (!t.Receipts || t.Grade == subjects.StaffGrade)
			t.Hotel += between(r, 100, 20_000)
			return ok
		}, func(a, b repay) bool {
			return b.Hotel == a.Hotel && b.Allowed == a.Allowed && b.Payable == a.Payable && b.Own >= a.Own
		}),
		{"what is above the rate is shared", half, func(t trip, r *rand.Rand) []trip {
			rate := expenseRate(t)
			if t.Hotel < rate || !t.Receipts || t.Grade == subjects.StaffGrade {
				return nil
			}
			x := t
			x.Hotel += 2 * between(r, 10, 5000)
			return []trip{x}
		}, func(in []trip, o []repay) bool {
			return 2*(o[1].Hotel-o[0].Hotel) == in[0].Nights*(in[1].Hotel-in[0].Hotel)
		}},
		one("from staff to manager", notLess, func(t *trip, _ *rand.Rand) bool {
			ok := t.Grade == subjects.StaffGrade
			t.Grade = subjects.ManagerGrade
			return ok
		}, func(a, b repay) bool {
			return b.Allowed >= a.Allowed && b.Own <= a.Own && b.Meals == a.Meals && b.Car == a.Car
		}),
		one("from manager to director", notLess, func(t *trip, _ *rand.Rand) bool {
			ok := t.Grade == subjects.ManagerGrade
			t.Grade = subjects.DirectorGrade
			return ok
		}, func(a, b repay) bool { return b.Allowed >= a.Allowed && b.Meals >= a.Meals && b.Fare == a.Fare }),
		one("a manager needs no more approval", notMore, func(t *trip, _ *rand.Rand) bool {
			ok := t.Grade == subjects.StaffGrade && t.Nights == 0
			t.Grade = subjects.ManagerGrade
			return ok
		}, func(a, b repay) bool { return b.Approval <= a.Approval && b.Allowed == a.Allowed }),
		several("each further day costs the same", equalSteps, func(t trip, _ *rand.Rand) []trip {
			if t.Receipts || t.Invited > 0 || t.Days < 2 {
				return nil
			}
			x, y := t, t
			x.Days++
			y.Days += 2
			return []trip{x, y}
		}, func(o []repay) bool { return o[2].Meals-o[1].Meals == o[1].Meals-o[0].Meals && o[1].Meals > o[0].Meals }),
		one("more days", notLess, func(t *trip, r *rand.Rand) bool { t.Days += between(r, 1, 5); return true },
			func(a, b repay) bool { return b.Meals >= a.Meals && b.Hotel == a.Hotel }),
		one("more invitations", notMore, func(t *trip, r *rand.Rand) bool { t.Invited += between(r, 1, 4); return true },
			func(a, b repay) bool { return b.Meals <= a.Meals && b.Allowed <= a.Allowed }),
		one("an invitation takes off its price", difference, func(t *trip, _ *rand.Rand) bool {
			ok := !t.Receipts && t.Days >= 4 && t.Invited <= 6
			t.Invited += 2
			return ok
		}, func(a, b repay) bool { return a.Meals-b.Meals == 1800 }),
		one("without receipts meals are flat", equal, func(t *trip, r *rand.Rand) bool {
			ok := !t.Receipts
			t.Meals = r.IntN(100_000)
			return ok
		}, func(a, b repay) bool { return a == b }),
		one("dearer meals", notLess, func(t *trip, r *rand.Rand) bool {
			t.Meals += between(r, 1, 9000)
			return t.Receipts
		}, func(a, b repay) bool { return b.Meals >= a.Meals && b.Allowed-a.Allowed == b.Meals-a.Meals }),
		one("without meals", partDifference, func(t *trip, _ *rand.Rand) bool {
			t.Meals = 0
			return t.Receipts
		}, func(a, b repay) bool { return a.Allowed-b.Allowed == a.Meals && b.Meals == 0 }),
		one("receipts pay at most twice the flat rate", double, func(t *trip, _ *rand.Rand) bool {
			ok := !t.Receipts
			t.Receipts, t.Meals = true, 10_000_000
			return ok
		}, func(a, b repay) bool { return b.Meals == 2*a.Meals && b.Hotel >= a.Hotel && b.Fare >= a.Fare }),
		one("a few miles are nothing", equal, func(t *trip, r *rand.Rand) bool {
			ok := t.Miles <= 20
			t.Miles = r.IntN(21)
			return ok
		}, func(a, b repay) bool { return a == b }),
		several("miles add up", sum, func(t trip, r *rand.Rand) []trip {
			if t.Miles <= 20 || t.Miles > 470 {
				return nil
			}
			x, y := t, t
			x.Miles = between(r, 21, 500-t.Miles)
			y.Miles += x.Miles
			return []trip{x, y}
		}, func(o []repay) bool { return o[0].Car+o[1].Car == o[2].Car && o[0].Car > 0 }),
		several("miles beyond the limit cost the same", equalSteps, func(t trip, r *rand.Rand) []trip {
			if t.Miles < 500 {
				return nil
			}
			d := between(r, 1, 200)
			x, y := t, t
			x.Miles += d
			y.Miles += 2 * d
			return []trip{x, y}
		}, func(o []repay) bool { return o[2].Car-o[1].Car == o[1].Car-o[0].Car && o[1].Car > o[0].Car }),
		one("more miles", notLess, func(t *trip, r *rand.Rand) bool { t.Miles += between(r, 1, 300); return true },
			func(a, b repay) bool { return b.Car >= a.Car && b.Own == a.Own && b.Hotel == a.Hotel }),
		{"fares with receipts are paid", difference, func(t trip, r *rand.Rand) []trip {
			if !t.Receipts {
				return nil
			}
			x := t
			x.Fare += between(r, 1, 50_000)
			return []trip{x}
		}, func(in []trip, o []repay) bool {
			return o[1].Allowed-o[0].Allowed == in[1].Fare-in[0].Fare && o[1].Own == o[0].Own
		}},
		{"high fares without receipts are the employee's", difference, func(t trip, r *rand.Rand) []trip {
			if t.Receipts || t.Fare < 5000 {
				return nil
			}
			x := t
			x.Fare += between(r, 1, 50_000)
			return []trip{x}
		}, func(in []trip, o []repay) bool {
			return o[1].Own-o[0].Own == in[1].Fare-in[0].Fare && o[1].Allowed == o[0].Allowed
		}},
		one("lost receipts", notMore, func(t *trip, _ *rand.Rand) bool {
			ok := t.Receipts
			t.Receipts = false
			return ok
		}, func(a, b repay) bool { return b.Hotel <= a.Hotel && b.Fare <= a.Fare && b.Own >= a.Own }),
		{"an advance is settled", difference, func(t trip, r *rand.Rand) []trip {
			x := t
			x.Advance += between(r, 1, 90_000)
			return []trip{x}
		}, func(in []trip, o []repay) bool {
			return (o[0].Payable-o[0].Owed)-(o[1].Payable-o[1].Owed) == in[1].Advance-in[0].Advance
		}},
		one("an advance does not change what is allowed", partEqual, func(t *trip, r *rand.Rand) bool { t.Advance = r.IntN(300_000); return true },
			func(a, b repay) bool { return b.Allowed == a.Allowed && b.Own == a.Own && b.Approval == a.Approval }),
		one("without an advance", partDifference, func(t *trip, _ *rand.Rand) bool { t.Advance = 0; return true },
			func(a, b repay) bool { return b.Payable == a.Hotel+a.Meals+a.Car+a.Fare && b.Owed == 0 }),
		one("huge fares go to the board", "highest", func(t *trip, _ *rand.Rand) bool {
			t.Fare += 1_000_000
			return t.Receipts
		}, func(a, b repay) bool { return b.Approval == 2 && b.Approval >= a.Approval }),
	}
}
