package properties

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/subjects"
)

type (
	luggage = subjects.Luggage
	fee     = subjects.BaggageFee
)

// baggageLimit is what a bag may weigh without a fee.
func baggageLimit(l luggage) int {
	switch {
	case l.Cabin == subjects.BusinessCabin:
		return 32
	case l.Status == subjects.GoldStatus:
		return 28
	}
	return 23
}

// rich reports whether no fee reaches three fares.
func rich(l luggage) bool { return l.Fare >= 100_000 }

func heaviest(l luggage) int { return slices.Max(append([]int{0}, l.Bags...)) }

// reweigh gives the first bag for which pick holds another weight, in a copy of
// the bags, and reports whether there is one.
func reweigh(l *luggage, pick func(kg int) bool, to func(kg int) int) bool {
	k := slices.IndexFunc(l.Bags, pick)
	if k < 0 {
		return false
	}
	l.Bags = slices.Clone(l.Bags)
	l.Bags[k] = to(l.Bags[k])
	return true
}

func plusBag(l *luggage, kg int) { l.Bags = append(slices.Clone(l.Bags), kg) }

func carryOnLimit(l luggage) int {
	if l.Cabin == subjects.BusinessCabin {
		return 14
	}
	return 8
}

func baggage() Subject {
	return Definition[luggage, fee]{
		Name: "baggage", Run: subjects.ChargeBaggage,
		Random: func(r *rand.Rand) luggage {
			l := luggage{Cabin: subjects.Cabin(r.IntN(3)), Status: subjects.FlyerStatus(r.IntN(3)),
				International: r.IntN(2) == 0, Student: r.IntN(3) == 0, CarryOn: amount(r, 25, 8, 12, 14, 18), Fare: between(r, 100_000, 400_000)}
			if r.IntN(5) == 0 {
				l.Fare = between(r, 500, 8000)
			}
			limit := baggageLimit(l)
			for range r.IntN(6) {
				l.Bags = append(l.Bags, max(1, amount(r, 40, limit, limit+9)))
			}
			if len(l.Bags) > 0 && r.IntN(6) == 0 {
				l.Bags[0] = between(r, 44, 55)
			}
			return l
		},
		In: []Category[luggage]{
			{"cabin", []string{"economy", "premium", "business"}, func(l luggage) int { return int(l.Cabin) }},
			{"status", []string{"none", "silver", "gold"}, func(l luggage) int { return int(l.Status) }},
			{"route", []string{"domestic", "international"}, func(l luggage) int { return index(l.International) }},
			{"weight", []string{"light", "heavy", "too heavy"}, func(l luggage) int { return band(heaviest(l), baggageLimit(l), 45) }},
		},
		Out: []Category[fee]{
			{"extra", []string{"none", "some"}, func(f fee) int { return band(f.Extra, 0) }},
			{"reduction", []string{"none", "some"}, func(f fee) int { return band(f.Reduction, 0) }},
		},
		Relations: baggageRelations(),
	}
}

func baggageRelations() []Relation[luggage, fee] {
	type rel = Relation[luggage, fee]
	return []rel{
		one("the order of bags does not matter", equal, func(l *luggage, r *rand.Rand) bool {
			l.Bags = slices.Clone(l.Bags)
			r.Shuffle(len(l.Bags), func(i, j int) { l.Bags[i], l.Bags[j] = l.Bags[j], l.Bags[i] })
			return len(l.Bags) > 1
		}, func(a, b fee) bool { return a == b }),
		one("a bag that is refused costs nothing", "one more", func(l *luggage, r *rand.Rand) bool {
			plusBag(l, between(r, 46, 60))
			return true
		}, func(a, b fee) bool {
			a.Refused++
			return a == b
		}),
		one("one more light bag", notLess, func(l *luggage, r *rand.Rand) bool { plusBag(l, between(r, 1, 20)); return true },
			func(a, b fee) bool { return b.Total >= a.Total && b.Extra >= a.Extra && b.Free >= a.Free }),
		one("a light bag pays nothing by weight", partEqual, func(l *luggage, r *rand.Rand) bool { plusBag(l, between(r, 1, 23)); return true },
			func(a, b fee) bool {
				return b.Weight == a.Weight && b.Heavy == a.Heavy && b.Refused == a.Refused && b.CarryOn == a.CarryOn
			}),
		one("one bag less", notMore, func(l *luggage, _ *rand.Rand) bool {
			if len(l.Bags) == 0 {
				return false
			}
			l.Bags = l.Bags[1:]
			return true
		}, func(a, b fee) bool { return b.Total <= a.Total && b.Extra <= a.Extra && b.Weight <= a.Weight }),
		one("a heavier bag", notLess, func(l *luggage, r *rand.Rand) bool {
			return reweigh(l, func(kg int) bool { return kg < 45 }, func(kg int) int { return between(r, kg+1, 45) })
		}, func(a, b fee) bool { return b.Weight >= a.Weight && b.Heavy >= a.Heavy && b.Total >= a.Total }),
		one("a kilogram beyond the limit", difference, func(l *luggage, _ *rand.Rand) bool {
			limit := baggageLimit(*l)
			return reweigh(l, func(kg int) bool { return kg >= limit && kg < limit+9 }, func(kg int) int { return kg + 1 })
		}, func(a, b fee) bool { return b.Weight-a.Weight == 800 && b.Extra == a.Extra }),
		several("a kilogram far beyond the limit", equalSteps, func(l luggage, _ *rand.Rand) []luggage {
			limit, x, y := baggageLimit(l), l, l
			fits := func(kg int) bool { return kg >= limit+9 && kg <= 43 }
			if !reweigh(&x, fits, func(kg int) int { return kg + 1 }) || !reweigh(&y, fits, func(kg int) int { return kg + 2 }) {
				return nil
			}
			return []luggage{x, y}
		}, func(o []fee) bool {
			return o[2].Weight-o[1].Weight == o[1].Weight-o[0].Weight && o[1].Weight > o[0].Weight
		}),
		one("below the limit all weights are one", equal, func(l *luggage, r *rand.Rand) bool {
			limit := baggageLimit(*l)
			return reweigh(l, func(kg int) bool { return kg <= limit }, func(int) int { return between(r, 1, limit) })
		}, func(a, b fee) bool { return a == b }),
		one("students have no advantage elsewhere", equal, func(l *luggage, _ *rand.Rand) bool {
			ok := !l.International || l.Cabin != subjects.EconomyCabin || l.Status == subjects.GoldStatus
			l.Student = !l.Student
			return ok
		}, func(a, b fee) bool { return a == b }),
		one("students pay a quarter less for bags", quarter, func(l *luggage, _ *rand.Rand) bool {
			ok := l.International && l.Cabin == subjects.EconomyCabin && l.Status != subjects.GoldStatus && !l.Student && rich(*l)
			l.Student = true
			return ok
		}, func(a, b fee) bool { return a.Total-b.Total == a.Extra/4 }),
		one("a status allows one bag more", notMore, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Status == subjects.NoStatus
			l.Status = subjects.SilverStatus
			return ok
		}, func(a, b fee) bool { return b.Total <= a.Total && b.Free-a.Free <= 1 && b.Weight == a.Weight }),
		one("the higher status", notMore, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Status == subjects.SilverStatus
			l.Status = subjects.GoldStatus
			return ok
		}, func(a, b fee) bool { return b.Total <= a.Total && b.Weight <= a.Weight && b.Free == a.Free }),
		one("gold pays half for bags", half, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Status == subjects.SilverStatus && rich(*l)
			l.Status = subjects.GoldStatus
			return ok
		}, func(a, b fee) bool { return b.Extra == a.Extra && b.Reduction == a.Extra/2 }),
		one("from economy to premium", notMore, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Cabin == subjects.EconomyCabin
			l.Cabin = subjects.PremiumCabin
			return ok
		}, func(a, b fee) bool { return b.Total <= a.Total && b.Free >= a.Free && b.Weight == a.Weight }),
		one("from premium to business", notMore, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Cabin == subjects.PremiumCabin
			l.Cabin = subjects.BusinessCabin
			return ok
		}, func(a, b fee) bool { return b.Total <= a.Total && b.Heavy <= a.Heavy && b.CarryOn <= a.CarryOn }),
		one("business allows the same everywhere", partEqual, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Cabin == subjects.BusinessCabin
			l.International = !l.International
			return ok
		}, func(a, b fee) bool { return b.Free == a.Free && b.Weight == a.Weight && (a.Extra > 0) == (b.Extra > 0) }),
		one("an international flight allows no less", notLess, func(l *luggage, _ *rand.Rand) bool {
			ok := !l.International
			l.International = true
			return ok
		}, func(a, b fee) bool { return b.Free >= a.Free && b.Weight == a.Weight }),
		one("in business an international bag is dearer", notLess, func(l *luggage, _ *rand.Rand) bool {
			ok := !l.International && l.Cabin == subjects.BusinessCabin
			l.International = true
			return ok
		}, func(a, b fee) bool { return b.Extra >= a.Extra && b.Total >= a.Total }),
		one("a heavier carry-on", notLess, func(l *luggage, r *rand.Rand) bool { l.CarryOn += between(r, 1, 12); return true },
			func(a, b fee) bool {
				return b.CarryOn >= a.CarryOn && b.Total >= a.Total && b.Extra == a.Extra && b.Weight == a.Weight
			}),
		one("a light carry-on is free", equal, func(l *luggage, r *rand.Rand) bool {
			limit := carryOnLimit(*l)
			ok := l.CarryOn <= limit
			l.CarryOn = r.IntN(limit + 1)
			return ok
		}, func(a, b fee) bool { return a == b }),
		several("a carry-on far too heavy", equalSteps, func(l luggage, r *rand.Rand) []luggage {
			if l.CarryOn < carryOnLimit(l)+4 {
				return nil
			}
			d := between(r, 1, 5)
			x, y := l, l
			x.CarryOn += d
			y.CarryOn += 2 * d
			return []luggage{x, y}
		}, func(o []fee) bool {
			return o[2].CarryOn-o[1].CarryOn == o[1].CarryOn-o[0].CarryOn && o[1].CarryOn > o[0].CarryOn
		}),
		one("business may carry six kilograms more", partEqual, func(l *luggage, _ *rand.Rand) bool {
			ok := l.Cabin != subjects.BusinessCabin
			l.Cabin = subjects.BusinessCabin
			l.CarryOn += 6
			return ok
		}, func(a, b fee) bool { return a.CarryOn == b.CarryOn && a.Refused == b.Refused }),
		one("a higher fare bounds no more", sumEqual, func(l *luggage, r *rand.Rand) bool { l.Fare += between(r, 1000, 100_000); return true },
			func(a, b fee) bool { return b.Total+b.Reduction == a.Total+a.Reduction && b.Total >= a.Total }),
		one("among high fares the fare does not matter", equal, func(l *luggage, r *rand.Rand) bool {
			ok := rich(*l)
			l.Fare = between(r, 100_000, 900_000)
			return ok
		}, func(a, b fee) bool { return a == b }),
		one("who flies for nothing pays nothing", "zero", func(l *luggage, _ *rand.Rand) bool { l.Fare = 0; return true },
			func(a, b fee) bool { return b.Total == 0 && b.Reduction == a.Total+a.Reduction && b.Free == a.Free }),
		several("luggage of two adds up by weight", sum, func(l luggage, _ *rand.Rand) []luggage {
			if len(l.Bags) < 2 {
				return nil
			}
			x, y := l, l
			x.Bags, y.Bags = l.Bags[:len(l.Bags)/2], l.Bags[len(l.Bags)/2:]
			return []luggage{x, y}
		}, func(o []fee) bool {
			return o[0].Weight == o[1].Weight+o[2].Weight && o[0].Heavy == o[1].Heavy+o[2].Heavy && o[0].Refused == o[1].Refused+o[2].Refused
		}),
		one("without bags", partDifference, func(l *luggage, _ *rand.Rand) bool {
			ok := rich(*l)
			l.Bags = nil
			return ok
		}, func(a, b fee) bool { return b.Total == a.CarryOn && a.Total-b.Total == a.Extra+a.Weight-a.Reduction }),
		one("without a carry-on", partDifference, func(l *luggage, _ *rand.Rand) bool {
			ok := rich(*l)
			l.CarryOn = 0
			return ok
		}, func(a, b fee) bool { return a.Total-b.Total == a.CarryOn }),
	}
}
