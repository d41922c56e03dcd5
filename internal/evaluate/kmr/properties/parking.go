package properties

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/subjects"
)

type (
	stay = subjects.Stay
	toll = subjects.ParkingCharge
)

// paysHours reports whether started hours are charged.
func paysHours(s stay) bool { return s.Minutes > 15 || s.Lost }

// withinDay reports whether the stay ends on the day on which it begins.
func withinDay(s stay) bool { return s.Hour*60+s.Minutes <= 24*60 }

func parking() Subject {
	return Definition[stay, toll]{
		Name: "parking", Run: subjects.ChargeParking,
		Random: func(r *rand.Rand) stay {
			s := stay{Vehicle: subjects.Vehicle(r.IntN(3)), Day: r.IntN(7), Hour: r.IntN(24), Resident: r.IntN(3) == 0,
				Electric: r.IntN(3) == 0, Lost: r.IntN(5) == 0}
			switch r.IntN(4) {
			case 0:
				s.Minutes = between(r, 1, 20)
			case 1:
				s.Minutes = between(r, 16, 300)
			case 2:
				s.Minutes = between(r, 200, 1200)
			default:
				s.Minutes = between(r, 1000, 4000)
			}
			if r.IntN(3) == 0 {
				s.Coupon = amount(r, 5000, 300)
			}
			return s
		},
		In: []Category[stay]{
			{"vehicle", []string{"car", "motorcycle", "van"}, func(s stay) int { return int(s.Vehicle) }},
			{"day", []string{"weekday", "Saturday", "Sunday"}, func(s stay) int { return band(s.Day, 4, 5) }},
			{"duration", []string{"short", "hours", "days"}, func(s stay) int { return band(s.Minutes, 15, 24*60) }},
			{"ticket", []string{"kept", "lost"}, func(s stay) int { return index(s.Lost) }},
		},
		Out: []Category[toll]{
			{"capped", []string{"no", "yes"}, func(c toll) int { return band(c.Capped, 0) }},
			{"coupon", []string{"unused", "used"}, func(c toll) int { return band(c.Redeemed, 0) }},
		},
		Relations: parkingRelations(),
	}
}

func parkingRelations() []Relation[stay, toll] {
	type rel = Relation[stay, toll]
	hours := func(c toll) int { return c.Daytime + c.Night - c.Capped }
	return []rel{
		one("hours are charged when they start", partEqual, func(s *stay, _ *rand.Rand) bool {
			ok := paysHours(*s)
			s.Minutes = (s.Minutes + 59) / 60 * 60
			return ok
		}, func(a, b toll) bool { return a.Daytime == b.Daytime && a.Night == b.Night && a.Capped == b.Capped }),
		one("a longer stay", notLess, func(s *stay, r *rand.Rand) bool { s.Minutes += between(r, 1, 900); return true },
			func(a, b toll) bool { return b.Total >= a.Total && hours(b) >= hours(a) && b.Power >= a.Power }),
		one("a shorter stay", notMore, func(s *stay, _ *rand.Rand) bool { s.Minutes /= 2; return true },
			func(a, b toll) bool { return b.Daytime <= a.Daytime && b.Night <= a.Night && b.Capped <= a.Capped }),
		one("weekdays cost the same", equal, func(s *stay, _ *rand.Rand) bool {
			ok := s.Day <= 2 && s.Minutes <= 24*60
			s.Day++
			return ok
		}, func(a, b toll) bool { return a == b }),
		one("residents pay less", notMore, func(s *stay, _ *rand.Rand) bool {
			ok := !s.Resident
			s.Resident = true
			return ok
		}, func(a, b toll) bool { return b.Total <= a.Total }),
		one("residents pay a quarter less for hours", quarter, func(s *stay, _ *rand.Rand) bool {
			ok := !s.Resident && s.Coupon == 0
			s.Resident = true
			return ok
		}, func(a, b toll) bool { return a.Total-b.Total == hours(a)/4 }),
		one("residents have the same hours", partEqual, func(s *stay, _ *rand.Rand) bool { s.Resident = !s.Resident; return true },
			func(a, b toll) bool { return hours(a) == hours(b) && a.Power == b.Power && a.Fine == b.Fine }),
		one("power comes on top", partDifference, func(s *stay, _ *rand.Rand) bool {
			ok := !s.Electric && s.Coupon == 0 && s.Vehicle != subjects.MotorcycleVehicle
			s.Electric = true
			return ok
		}, func(a, b toll) bool { return b.Total-a.Total == b.Power && b.Power > 0 }),
		one("motorcycles are not charged for power", equal, func(s *stay, _ *rand.Rand) bool {
			s.Electric = !s.Electric
			return s.Vehicle == subjects.MotorcycleVehicle
		}, func(a, b toll) bool { return a == b }),
		one("power costs by the hour", difference, func(s *stay, _ *rand.Rand) bool {
			ok := s.Electric && s.Vehicle != subjects.MotorcycleVehicle && s.Minutes >= 240
			s.Minutes += 60
			return ok
		}, func(a, b toll) bool { return b.Power-a.Power == 100 }),
		one("a lost ticket is fined", difference, func(s *stay, _ *rand.Rand) bool {
			ok := !s.Lost && s.Coupon == 0 && s.Minutes > 15
			s.Lost = true
			return ok
		}, func(a, b toll) bool { return b.Total-a.Total == 2000 }),
		one("with a lost ticket there are no free minutes", notLess, func(s *stay, _ *rand.Rand) bool {
			ok := !s.Lost
			s.Lost = true
			return ok
		}, func(a, b toll) bool { return b.Total >= a.Total && b.Fine > a.Fine && hours(b) >= hours(a) }),
		one("a higher coupon", sumEqual, func(s *stay, r *rand.Rand) bool { s.Coupon += between(r, 1, 2500); return true },
			func(a, b toll) bool { return a.Total+a.Redeemed == b.Total+b.Redeemed && b.Total <= a.Total }),
		one("without a coupon", partDifference, func(s *stay, _ *rand.Rand) bool { s.Coupon = 0; return true },
			func(a, b toll) bool { return b.Total == a.Total+a.Redeemed && b.Redeemed == 0 }),
		one("a coupon for all", "zero", func(s *stay, _ *rand.Rand) bool { s.Coupon = 1_000_000; return true },
			func(a, b toll) bool { return b.Total == 0 && b.Redeemed == a.Total+a.Redeemed }),
		one("motorcycles pay half", half, func(s *stay, _ *rand.Rand) bool {
			ok := s.Vehicle == subjects.CarVehicle
			s.Vehicle = subjects.MotorcycleVehicle
			return ok
		}, func(a, b toll) bool {
			return a.Daytime == 2*b.Daytime && a.Night == 2*b.Night && a.Capped == 2*b.Capped && b.Total <= a.Total
		}),
		one("vans pay half more in daytime", "half more", func(s *stay, _ *rand.Rand) bool {
			ok := s.Vehicle == subjects.CarVehicle
			s.Vehicle = subjects.VanVehicle
			return ok
		}, func(a, b toll) bool { return 2*b.Daytime == 3*a.Daytime && b.Night == a.Night && b.Total >= a.Total }),
		one("at night all days are one", equal, func(s *stay, r *rand.Rand) bool {
			ok := s.Hour >= 20 && (s.Hour-24)*60+s.Minutes <= 7*60
			s.Day = r.IntN(7)
			return ok
		}, func(a, b toll) bool { return a == b }),
		one("nights cost the same on all days", partEqual, func(s *stay, r *rand.Rand) bool {
			s.Day = r.IntN(7)
			return true
		}, func(a, b toll) bool { return a.Night == b.Night && a.Power == b.Power }),
		several("a stay is the sum of its days", sum, func(s stay, _ *rand.Rand) []stay {
			first := (24 - s.Hour) * 60
			if s.Minutes-first <= 15 {
				return nil
			}
			x, y := s, s
			x.Minutes = first
			y.Day, y.Hour, y.Minutes = (s.Day+1)%7, 0, s.Minutes-first
			return []stay{x, y}
		}, func(o []toll) bool {
			return o[0].Daytime == o[1].Daytime+o[2].Daytime && o[0].Night == o[1].Night+o[2].Night && o[0].Capped == o[1].Capped+o[2].Capped
		}),
		several("leaving in between", "at most the sum", func(s stay, r *rand.Rand) []stay {
			left := 24 - s.Hour
			if s.Minutes < 136 || left < 2 {
				return nil
			}
			n := between(r, 1, min(left-1, (s.Minutes-16)/60))
			x, y := s, s
			x.Minutes = 60 * n
			y.Hour, y.Minutes = s.Hour+n, s.Minutes-60*n
			return []stay{x, y}
		}, func(o []toll) bool {
			return o[0].Daytime == o[1].Daytime+o[2].Daytime && o[0].Night == o[1].Night+o[2].Night && hours(o[0]) <= hours(o[1])+hours(o[2])
		}),
		one("a few minutes are free", equal, func(s *stay, r *rand.Rand) bool {
			ok := !paysHours(*s)
			s.Minutes = between(r, 1, 15)
			s.Hour, s.Day = r.IntN(24), r.IntN(7)
			return ok
		}, func(a, b toll) bool { return a == b }),
		one("later on a weekday's morning", notLess, func(s *stay, _ *rand.Rand) bool {
			ok := s.Day <= 4 && s.Hour >= 6 && s.Hour <= 8 && s.Minutes <= 60
			s.Hour++
			return ok
		}, func(a, b toll) bool { return b.Daytime >= a.Daytime && b.Night <= a.Night }),
		several("each full day costs the same", equalSteps, func(s stay, _ *rand.Rand) []stay {
			var out []stay
			for n := 1; n <= 3; n++ {
				x := s
				x.Day, x.Hour, x.Minutes = 0, 0, n*24*60
				x.Coupon, x.Resident = 0, false // a quarter of a day may be no whole cent
				out = append(out, x)
			}
			return out
		}, func(o []toll) bool { return o[3].Total-o[2].Total == o[2].Total-o[1].Total && o[2].Total > o[1].Total }),
		one("Monday costs no less than Sunday", notLess, func(s *stay, _ *rand.Rand) bool {
			ok := s.Day == 6 && withinDay(*s)
			s.Day = 0
			return ok
		}, func(a, b toll) bool { return b.Daytime >= a.Daytime && b.Total >= a.Total }),
		one("Saturday afternoon costs less than its morning", notMore, func(s *stay, _ *rand.Rand) bool {
			ok := s.Day == 5 && s.Hour >= 7 && s.Hour < 14 && s.Minutes <= 60
			s.Hour = 15
			return ok
		}, func(a, b toll) bool {
			return b.Daytime <= a.Daytime && (b.Daytime == 0) == (a.Daytime == 0) && b.Total <= a.Total
		}),
	}
}
