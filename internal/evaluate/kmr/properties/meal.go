package properties

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/subjects"
)

type (
	flight = subjects.Flight
	meals  = subjects.MealPlan
)

// mealBands are the last minutes of flights that are treated alike.
func mealBands() []int { return []int{44, 89, 300, 360, 540, 660} }

// adults are those in economy who are no children.
func adults(f flight) int { return f.Economy - f.Children }

func mealSeats(a subjects.Aircraft) int { return [3]int{180, 290, 440}[a] }

// morning reports whether there is breakfast.
func morning(f flight) bool { return f.Hour >= 4 && f.Hour < 10 }

func meal() Subject {
	return Definition[flight, meals]{
		Name: "meal", Run: subjects.PlanMeals,
		Random: func(r *rand.Rand) flight {
			f := flight{Aircraft: subjects.Aircraft(r.IntN(3)), Minutes: max(20, amount(r, 900, mealBands()...)), Hour: r.IntN(24),
				Pilots: between(r, 2, 4), CrewAsks: between(r, -3, 3)}
			if r.IntN(3) == 0 {
				f.Hour = between(r, 3, 10)
			}
			if r.IntN(4) > 0 {
				f.Business = r.IntN(mealSeats(f.Aircraft) / 5)
			}
			f.Economy = r.IntN(mealSeats(f.Aircraft) - f.Business)
			if r.IntN(3) > 0 {
				f.Children = r.IntN(f.Economy/3 + 1)
			}
			switch r.IntN(4) {
			case 0:
				f.Special = min(adults(f)+between(r, -2, 10), f.Business+f.Economy)
				f.Special = max(f.Special, 0)
			case 1, 2:
				f.Special = r.IntN(adults(f)/4 + 1)
			}
			if r.IntN(2) == 0 {
				f.Standby = amount(r, 40, mealSeats(f.Aircraft)-f.Business-f.Economy)
			}
			return f
		},
		In: []Category[flight]{
			{"aircraft", []string{"narrow", "wide", "large"}, func(f flight) int { return int(f.Aircraft) }},
			{"duration", []string{"short", "medium", "long", "longest"}, func(f flight) int { return band(f.Minutes, 44, 300, 660) }},
			{"departure", []string{"day", "morning"}, func(f flight) int { return index(morning(f)) }},
			{"special", []string{"none", "few", "many"}, func(f flight) int {
				if f.Special == 0 {
					return 0
				}
				return 1 + band(f.Special, adults(f))
			}},
			{"standby", []string{"none", "some"}, func(f flight) int { return band(f.Standby, 0) }},
		},
		Out: []Category[meals]{
			{"service", []string{"cold", "hot"}, func(p meals) int { return index(!p.Cold) }},
			{"breakfasts", []string{"none", "some"}, func(p meals) int { return band(p.Breakfasts, 0) }},
		},
		Relations: mealRelations(),
	}
}

func mealRelations() []Relation[flight, meals] {
	type rel = Relation[flight, meals]
	economy := func(p meals) int { return p.Economy + p.Breakfasts }
	return []rel{
		one("diets replace meals in economy", sumEqual, func(f *flight, r *rand.Rand) bool {
			free := adults(*f) - f.Special
			if free <= 0 {
				return false
			}
			f.Special += between(r, 1, free)
			return true
		}, func(a, b meals) bool {
			return economy(a)+a.Special == economy(b)+b.Special && a.Business == b.Business && b.Special >= a.Special
		}),
		one("more in business", notLess, func(f *flight, r *rand.Rand) bool { f.Business += between(r, 1, 12); return true },
			func(a, b meals) bool { return b.Business >= a.Business && b.Crew == a.Crew && b.Child == a.Child }),
		several("five more in business", equalSteps, func(f flight, _ *rand.Rand) []flight {
			if f.Special > adults(f) {
				return nil
			}
			x, y := f, f
			x.Business += 5
			y.Business += 10
			return []flight{x, y}
		}, func(o []meals) bool { return o[2].Business-o[1].Business == o[1].Business-o[0].Business }),
		one("more children among the passengers", notMore, func(f *flight, r *rand.Rand) bool {
			if adults(*f) == 0 {
				return false
			}
			f.Children += between(r, 1, adults(*f))
			return true
		}, func(a, b meals) bool { return economy(b) <= economy(a) && b.Child >= a.Child && b.Snacks == a.Snacks }),
		one("children replace adults", sumEqual, func(f *flight, _ *rand.Rand) bool {
			ok := f.Special < adults(*f)
			f.Children++
			return ok
		}, func(a, b meals) bool { return economy(a)+a.Child == economy(b)+b.Child && a.Trolleys == b.Trolleys }),
		several("each in economy eats the same", equalSteps, func(f flight, r *rand.Rand) []flight {
			if f.Standby > 0 || f.Special > adults(f) {
				return nil
			}
			d := between(r, 1, 20)
			x, y := f, f
			x.Economy += d
			y.Economy += 2 * d
			return []flight{x, y}
		}, func(o []meals) bool { return economy(o[2])-economy(o[1]) == economy(o[1])-economy(o[0]) }),
		one("pilots eat apart", partEqual, func(f *flight, _ *rand.Rand) bool { f.Pilots++; return true },
			func(a, b meals) bool {
				return b.Pilot > a.Pilot && a.Crew == b.Crew && a.Economy == b.Economy && a.Business == b.Business && a.Snacks == b.Snacks
			}),
		{"pilots eat the same", proportional, func(f flight, _ *rand.Rand) []flight {
			x := f
			x.Pilots = 2 * f.Pilots
			return []flight{x}
		}, func(in []flight, o []meals) bool { return o[1].Pilot*in[0].Pilots == o[0].Pilot*in[1].Pilots }},
		one("pilots eat twice on long flights", double, func(f *flight, _ *rand.Rand) bool {
			ok := f.Minutes <= 360
			f.Minutes = 400
			return ok
		}, func(a, b meals) bool { return b.Pilot == 2*a.Pilot }),
		one("a larger crew", notLess, func(f *flight, r *rand.Rand) bool { f.CrewAsks += between(r, 1, 4); return true },
			func(a, b meals) bool { return b.Crew >= a.Crew && b.Trolleys >= a.Trolleys && b.Business == a.Business }),
		several("each of the crew eats the same", equalSteps, func(f flight, _ *rand.Rand) []flight {
			if [3]int{4, 9, 16}[f.Aircraft]+f.CrewAsks < 3 {
				return nil
			}
			x, y := f, f
			x.CrewAsks++
			y.CrewAsks += 2
			return []flight{x, y}
		}, func(o []meals) bool { return o[2].Crew-o[1].Crew == o[1].Crew-o[0].Crew && o[1].Crew > o[0].Crew }),
		one("passengers eat the same in a larger aircraft", partEqual, func(f *flight, _ *rand.Rand) bool {
			ok := f.Standby == 0 && f.Aircraft < subjects.LargeAircraft
			f.Aircraft++
			return ok
		}, func(a, b meals) bool {
			return b.Crew >= a.Crew && a.Economy == b.Economy && a.Business == b.Business && a.Child == b.Child && a.Snacks == b.Snacks
		}),
		one("outside the morning the hour does not matter", equal, func(f *flight, r *rand.Rand) bool {
			ok := !morning(*f)
			f.Hour = (10 + r.IntN(18)) % 24
			return ok
		}, func(a, b meals) bool { return a == b }),
		one("within the morning the hour does not matter", equal, func(f *flight, r *rand.Rand) bool {
			ok := morning(*f)
			f.Hour = between(r, 4, 9)
			return ok
		}, func(a, b meals) bool { return a == b }),
		one("breakfasts replace meals", sumEqual, func(f *flight, _ *rand.Rand) bool {
			ok := !morning(*f)
			f.Hour = 6
			return ok
		}, func(a, b meals) bool {
			return economy(a) == economy(b) && a.Trolleys == b.Trolleys && a.Breakfasts == 0 && (b.Breakfasts > 0 || economy(a) < 3)
		}),
		one("flights of about the same length", equal, func(f *flight, r *rand.Rand) bool {
			bounds := append(append([]int{19}, mealBands()...), 1000)
			n := band(f.Minutes, mealBands()...)
			f.Minutes = between(r, bounds[n]+1, bounds[n+1])
			return true
		}, func(a, b meals) bool { return a == b }),
		one("on long flights everybody eats twice", double, func(f *flight, r *rand.Rand) bool {
			ok := f.Minutes >= 90 && f.Minutes <= 300
			f.Minutes = between(r, 301, 660)
			return ok
		}, func(a, b meals) bool {
			return b.Child == 2*a.Child && b.Special == 2*a.Special && b.Business == 2*a.Business && b.Crew == 2*a.Crew
		}),
		one("on the longest flights everybody eats three times", "triple", func(f *flight, r *rand.Rand) bool {
			ok := f.Minutes >= 90 && f.Minutes <= 300
			f.Minutes = between(r, 661, 900)
			return ok
		}, func(a, b meals) bool {
			return b.Child == 3*a.Child && b.Special == 3*a.Special && b.Business == 3*a.Business && b.Snacks == 3*a.Snacks
		}),
		one("on short flights nobody eats", "zero", func(f *flight, r *rand.Rand) bool { f.Minutes = between(r, 20, 44); return true },
			func(a, b meals) bool {
				return b.Economy+b.Business+b.Child+b.Special+b.Breakfasts == 0 && b.Crew <= a.Crew
			}),
		one("snacks make up for meals", double, func(f *flight, r *rand.Rand) bool {
			ok := f.Minutes >= 45 && f.Minutes <= 300
			f.Minutes = between(r, 20, 44)
			return ok
		}, func(a, b meals) bool { return b.Snacks == 2*a.Snacks && b.Crew == a.Crew }),
		one("more on standby", notLess, func(f *flight, r *rand.Rand) bool { f.Standby += between(r, 1, 30); return true },
			func(a, b meals) bool {
				return economy(b) >= economy(a) && b.Snacks == a.Snacks && b.Trolleys >= a.Trolleys
			}),
		one("nobody gets a seat that is not there", equal, func(f *flight, r *rand.Rand) bool {
			ok := f.Standby >= mealSeats(f.Aircraft)-f.Business-f.Economy && f.Standby > 0
			f.Standby += between(r, 1, 50)
			return ok
		}, func(a, b meals) bool { return a == b }),
		one("standby eats nothing on short flights", equal, func(f *flight, r *rand.Rand) bool {
			ok := f.Minutes < 90
			f.Standby = r.IntN(60)
			return ok
		}, func(a, b meals) bool { return a == b }),
		one("each on standby adds one meal", difference, func(f *flight, _ *rand.Rand) bool {
			ok := f.Minutes >= 90 && f.Standby+3 <= mealSeats(f.Aircraft)-f.Business-f.Economy
			f.Standby += 3
			return ok
		}, func(a, b meals) bool { return economy(b)-economy(a) == 3 }),
		{"each passenger has the same snacks", proportional, func(f flight, r *rand.Rand) []flight {
			x := f
			x.Economy += between(r, 1, 60)
			return []flight{x}
		}, func(in []flight, o []meals) bool {
			return o[1].Snacks*(in[0].Business+in[0].Economy) == o[0].Snacks*(in[1].Business+in[1].Economy)
		}},
		several("two flights for one", sum, func(f flight, _ *rand.Rand) []flight {
			x, y := f, f
			x.Business, x.Economy, x.Children, x.Special = f.Business/2, f.Economy/2, f.Children/2, f.Special/2
			x.Children = min(x.Children, x.Economy)
			y.Business, y.Economy, y.Children, y.Special = f.Business-x.Business, f.Economy-x.Economy, f.Children-x.Children, f.Special-x.Special
			return []flight{x, y}
		}, func(o []meals) bool {
			return o[0].Child == o[1].Child+o[2].Child && o[0].Special == o[1].Special+o[2].Special && o[0].Snacks == o[1].Snacks+o[2].Snacks && o[0].Pilot == o[1].Pilot
		}),
		one("more diets take meals from business", notMore, func(f *flight, _ *rand.Rand) bool {
			ok := f.Special < f.Business+f.Economy
			f.Special = f.Business + f.Economy
			return ok
		}, func(a, b meals) bool {
			return b.Business <= a.Business && economy(b) <= economy(a) && b.Child == a.Child
		}),
		one("more in economy", notLess, func(f *flight, r *rand.Rand) bool {
			f.Economy += between(r, 1, 50)
			return f.Standby == 0
		}, func(a, b meals) bool {
			return b.Trolleys >= a.Trolleys && b.Snacks >= a.Snacks && economy(b) >= economy(a)
		}),
		one("cold meals are as many as hot ones", partEqual, func(f *flight, _ *rand.Rand) bool {
			ok := f.Minutes >= 45 && f.Minutes < 90 && f.Standby == 0
			f.Minutes = 120
			return ok
		}, func(a, b meals) bool {
			same := a
			same.Cold = b.Cold
			return same == b && a.Cold != b.Cold
		}),
	}
}
