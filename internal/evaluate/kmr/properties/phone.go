package properties

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/subjects"
)

type (
	month = subjects.PhoneMonth
	bill  = subjects.PhoneBill
)

// phoneMinutes are the minutes that the bundles of either plan include.
func phoneMinutes(m month) int {
	return [2][4]int{{60, 200, 500, 1000}, {30, 100, 250, 500}}[m.Plan][m.Bundle]
}
func phoneData(m month) int {
	return [2][4]int{{200, 500, 1000, 2000}, {1600, 4000, 8000, 16000}}[m.Plan][m.Bundle]
}

func phone() Subject {
	return Definition[month, bill]{
		Name: "phone", Run: subjects.BillPhone,
		Random: func(r *rand.Rand) month {
			m := month{Plan: subjects.PhonePlan(r.IntN(2)), Bundle: r.IntN(4), Years: r.IntN(8)}
			free := phoneMinutes(m)
			m.Minutes = amount(r, free+900, free, free+600)
			m.Abroad = amount(r, 250, 30, 120)
			m.Texts = amount(r, 220, 50, 150)
			data := phoneData(m)
			m.Megabytes = amount(r, data+4000, data, data+2000, data+3000)
			return m
		},
		In: []Category[month]{
			{"plan", []string{"talk", "data"}, func(m month) int { return int(m.Plan) }},
			{"minutes", []string{"included", "beyond", "many"}, func(m month) int { return band(m.Minutes-phoneMinutes(m), 0, 600) }},
			{"data", []string{"included", "beyond"}, func(m month) int { return band(m.Megabytes, phoneData(m)) }},
			{"texts", []string{"free", "paid"}, func(m month) int { return band(m.Texts, 50) }},
			{"years", []string{"new", "two", "five"}, func(m month) int { return band(m.Years, 1, 4) }},
		},
		Out: []Category[bill]{
			{"calls", []string{"none", "charged"}, func(b bill) int { return band(b.Calls, 0) }},
			{"discount", []string{"none", "some"}, func(b bill) int { return band(b.Discount, 0) }},
			{"throttled", []string{"no", "yes"}, func(b bill) int { return index(b.Throttled) }},
		},
		Relations: phoneRelations(),
	}
}

func phoneRelations() []Relation[month, bill] {
	type rel = Relation[month, bill]
	return []rel{
		one("free texts are free", equal, func(m *month, r *rand.Rand) bool {
			ok := m.Texts <= 50
			m.Texts = r.IntN(51)
			return ok
		}, func(a, b bill) bool { return a == b }),
		one("more texts", notLess, func(m *month, r *rand.Rand) bool { m.Texts += between(r, 1, 90); return true },
			func(a, b bill) bool { return b.Texts >= a.Texts && b.Total >= a.Total }),
		one("each paid text costs the same", difference, func(m *month, _ *rand.Rand) bool {
			ok := m.Texts >= 50 && m.Texts < 140
			m.Texts += 10
			return ok
		}, func(a, b bill) bool { return b.Total-a.Total == 70 }),
		one("texts have a maximum", equal, func(m *month, r *rand.Rand) bool {
			ok := m.Texts >= 150
			m.Texts += between(r, 1, 500)
			return ok
		}, func(a, b bill) bool { return a == b }),
		one("more minutes", notLess, func(m *month, r *rand.Rand) bool { m.Minutes += between(r, 1, 400); return true },
			func(a, b bill) bool { return b.Calls >= a.Calls && b.Fee == a.Fee }),
		one("fewer minutes", notMore, func(m *month, _ *rand.Rand) bool {
			ok := m.Minutes > 0
			m.Minutes /= 2
			return ok
		}, func(a, b bill) bool { return b.Total <= a.Total }),
		one("included minutes are included", equal, func(m *month, _ *rand.Rand) bool {
			ok := m.Minutes <= phoneMinutes(*m)
			m.Minutes = phoneMinutes(*m) - m.Minutes
			return ok
		}, func(a, b bill) bool { return a == b }),
		several("minutes beyond the bundle cost the same", equalSteps, func(m month, _ *rand.Rand) []month {
			if over := m.Minutes - phoneMinutes(m); over < 0 || over > 500 {
				return nil
			}
			x, y := m, m
			x.Minutes += 50
			y.Minutes += 100
			return []month{x, y}
		}, func(o []bill) bool { return o[2].Calls-o[1].Calls == o[1].Calls-o[0].Calls && o[1].Calls > o[0].Calls }),
		several("those who talk much pay no more for a minute", "diminishing", func(m month, r *rand.Rand) []month {
			if m.Minutes < phoneMinutes(m) {
				return nil
			}
			d := between(r, 10, 400)
			x, y := m, m
			x.Minutes += d
			y.Minutes += 2 * d
			return []month{x, y}
		}, func(o []bill) bool { return o[2].Calls-o[1].Calls <= o[1].Calls-o[0].Calls }),
		one("more minutes abroad", notLess, func(m *month, r *rand.Rand) bool { m.Abroad += between(r, 1, 200); return true },
			func(a, b bill) bool { return b.Abroad >= a.Abroad && b.Calls == a.Calls && b.Data == a.Data }),
		one("twice as long abroad", "at most double", func(m *month, _ *rand.Rand) bool {
			ok := m.Bundle < 3
			m.Abroad *= 2
			return ok
		}, func(a, b bill) bool { return b.Abroad <= 2*a.Abroad }),
		several("minutes abroad add up", sum, func(m month, r *rand.Rand) []month {
			if m.Bundle == 3 || m.Abroad >= 120 {
				return nil
			}
			x, y := m, m
			x.Abroad = between(r, 1, 120-m.Abroad)
			y.Abroad += x.Abroad
			return []month{x, y}
		}, func(o []bill) bool { return o[0].Abroad+o[1].Abroad == o[2].Abroad }),
		one("the largest bundle includes minutes abroad", partEqual, func(m *month, _ *rand.Rand) bool {
			ok := m.Bundle < 3
			m.Bundle = 3
			m.Abroad += 30
			return ok
		}, func(a, b bill) bool { return a.Abroad == b.Abroad && a.Texts == b.Texts }),
		one("more data", notLess, func(m *month, r *rand.Rand) bool { m.Megabytes += between(r, 1, 3000); return true },
			func(a, b bill) bool { return b.Data >= a.Data && b.Total >= a.Total }),
		one("data is sold in hundreds", equal, func(m *month, _ *rand.Rand) bool {
			over := m.Megabytes - phoneData(*m)
			m.Megabytes += (100 - over%100) % 100
			return over > 0
		}, func(a, b bill) bool { return a == b }),
		several("each hundred of data costs the same", equalSteps, func(m month, _ *rand.Rand) []month {
			if over := m.Megabytes - phoneData(m); over < 0 || over > 1600 {
				return nil
			}
			x, y := m, m
			x.Megabytes += 100
			y.Megabytes += 200
			return []month{x, y}
		}, func(o []bill) bool { return o[2].Data-o[1].Data == o[1].Data-o[0].Data && o[1].Total > o[0].Total }),
		one("throttled data costs no more", equal, func(m *month, r *rand.Rand) bool {
			ok := m.Megabytes >= phoneData(*m)+3000
			m.Megabytes += between(r, 1, 5000)
			return ok
		}, func(a, b bill) bool { return a == b }),
		one("very old customers are old customers", equal, func(m *month, r *rand.Rand) bool {
			ok := m.Years >= 5
			m.Years += between(r, 1, 20)
			return ok
		}, func(a, b bill) bool { return a == b }),
		one("older customers", notMore, func(m *month, r *rand.Rand) bool { m.Years += between(r, 1, 5); return true },
			func(a, b bill) bool { return b.Total <= a.Total && b.Discount >= a.Discount }),
		several("the discount on the fee grows evenly", equalSteps, func(m month, _ *rand.Rand) []month {
			if m.Minutes > phoneMinutes(m) {
				return nil
			}
			x, y, z := m, m, m
			x.Years, y.Years, z.Years = 1, 2, 5
			return []month{x, y, z}
		}, func(o []bill) bool { return o[3].Discount-o[2].Discount == o[2].Discount-o[1].Discount }),
		one("the other plan's fee", difference, func(m *month, _ *rand.Rand) bool {
			ok := m.Plan == subjects.TalkPlan
			m.Plan = subjects.DataPlan
			return ok
		}, func(a, b bill) bool { return b.Fee-a.Fee == 500 && a.Texts == b.Texts && a.Abroad == b.Abroad }),
		one("the next bundle's fee", difference, func(m *month, _ *rand.Rand) bool {
			ok := m.Bundle < 3
			m.Bundle++
			return ok
		}, func(a, b bill) bool { return b.Fee-a.Fee == 1000 }),
		one("the next bundle includes more", notMore, func(m *month, _ *rand.Rand) bool {
			ok := m.Bundle < 3
			m.Bundle++
			return ok
		}, func(a, b bill) bool { return b.Calls <= a.Calls && b.Data <= a.Data }),
		one("an idle month", notMore, func(m *month, _ *rand.Rand) bool {
			m.Minutes, m.Abroad, m.Texts, m.Megabytes = 0, 0, 0, 0
			return true
		}, func(a, b bill) bool { return b.Total <= a.Total && b.Fee == a.Fee }),
		one("without texts", partDifference, func(m *month, _ *rand.Rand) bool { m.Texts = 0; return true },
			func(a, b bill) bool { return a.Total-b.Total == a.Texts }),
		one("without minutes abroad", partDifference, func(m *month, _ *rand.Rand) bool { m.Abroad = 0; return true },
			func(a, b bill) bool { return a.Total-b.Total == a.Abroad }),
		one("without data, for a new customer", partDifference, func(m *month, _ *rand.Rand) bool {
			ok := m.Years == 0
			m.Megabytes = 0
			return ok
		}, func(a, b bill) bool { return a.Total-b.Total == a.Data }),
		one("without calls, for a new customer", partDifference, func(m *month, _ *rand.Rand) bool {
			ok := m.Years == 0
			m.Minutes = 0
			return ok
		}, func(a, b bill) bool { return a.Total-b.Total == a.Calls }),
	}
}
