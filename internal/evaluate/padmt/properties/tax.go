package properties

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func tax() properties.Subject {
	return properties.Definition[[]programs.Good, programs.Receipt]{
		Name: "tax", Run: programs.TaxGoods, Random: randomGoods, Relations: taxRelations(),
	}
}

func randomGoods(r *rand.Rand) []programs.Good {
	var list []programs.Good
	for range r.IntN(6) {
		g := programs.Good{Count: between(r, 1, 9), Price: between(r, 0, 3000), Rate: between(r, 0, 25), Imported: r.IntN(2) == 0, Exempt: r.IntN(3) == 0}
		switch r.IntN(10) {
		case 0:
			g.Price = between(r, 20_000, 90_000)
		case 1:
			g.Count, g.Price = 1, 2200+between(r, -2, 2)
		case 2:
			g.Count = between(r, -1, 0)
		case 3:
			g.Rate = []int{-1, 0, 100, 101}[r.IntN(4)]
		case 4:
			g.Price = between(r, -1, 0)
		}
		list = append(list, g)
	}
	return list
}

// isSold reports whether a good is on the receipt.
func isSold(g programs.Good) bool { return g.Count > 0 && g.Price >= 0 && g.Rate >= 0 && g.Rate <= 100 }

func taxRelations() []relation[[]programs.Good, programs.Receipt] {
	type (
		in  = []programs.Good
		out = programs.Receipt
	)
	allSold := func(list in) bool {
		return !slices.ContainsFunc(list, func(g programs.Good) bool { return !isSold(g) })
	}
	// atOne changes one good, if there is one for which that makes sense.
	atOne := func(list in, r *rand.Rand, fits func(programs.Good) bool, change func(*programs.Good)) (in, bool) {
		for _, i := range r.Perm(len(list)) {
			if fits(list[i]) {
				list = slices.Clone(list)
				change(&list[i])
				return list, true
			}
		}
		return nil, false
	}
	home := func(list in, times int) in {
		return changed(list, func(g programs.Good) programs.Good { g.Imported = false; g.Price *= times; return g })
	}
	// one is a list of one imported good without sales tax.
	one := func(price int) in { return in{{Count: 1, Price: price, Imported: true, Exempt: true}} }
	return []relation[in, out]{
		pair("in another order", func(l in, r *rand.Rand) (in, bool) { return shuffled(l, r), len(l) > 1 }, equal[out]),
		pair("a good for nothing", func(l in, r *rand.Rand) (in, bool) {
			g := programs.Good{Count: between(r, 1, 9), Rate: between(r, 0, 100), Imported: r.IntN(2) == 0}
			return append(slices.Clone(l), g), true
		}, func(a, b out) bool { a.Lines++; return a == b }),
		pair("no good, a wrong price or a wrong rate", func(l in, r *rand.Rand) (in, bool) {
			g := programs.Good{Count: 1, Price: between(r, 1, 9000), Rate: 10, Imported: r.IntN(2) == 0}
			switch r.IntN(4) {
			case 0:
				g.Count = -between(r, 0, 3)
			case 1:
				g.Price = -g.Price
			case 2:
				g.Rate = -between(r, 1, 9)
			default:
				g.Rate = between(r, 101, 120)
			}
			return slices.Insert(slices.Clone(l), r.IntN(len(l)+1), g), true
		}, func(a, b out) bool { a.Ignored++; return a == b }),
		several("two receipts", func(l in, r *rand.Rand) []in {
			at := r.IntN(len(l) + 1)
			return []in{l[:at], l[at:]}
		}, func(o []out) bool {
			a, b := o[1], o[2]
			return o[0] == out{Net: a.Net + b.Net, Sales: a.Sales + b.Sales, Import: a.Import + b.Import, Total: a.Total + b.Total,
				Lines: a.Lines + b.Lines, Ignored: a.Ignored + b.Ignored, Dearest: max(a.Dearest, b.Dearest)}
		}),
		pair("everything twice", func(l in, _ *rand.Rand) (in, bool) { return slices.Repeat(l, 2), len(l) > 0 },
			func(a, b out) bool {
				return b == out{Net: 2 * a.Net, Sales: 2 * a.Sales, Import: 2 * a.Import, Total: 2 * a.Total,
					Lines: 2 * a.Lines, Ignored: 2 * a.Ignored, Dearest: a.Dearest}
			}),
		pair("one good less", func(l in, r *rand.Rand) (in, bool) {
			if len(l) == 0 {
				return nil, false
			}
			at := r.IntN(len(l))
			return slices.Delete(slices.Clone(l), at, at+1), true
		}, func(a, b out) bool {
			return b.Net <= a.Net && b.Total <= a.Total && b.Dearest <= a.Dearest && a.Lines+a.Ignored == b.Lines+b.Ignored+1
		}),
		pair("a good on two lines", func(l in, r *rand.Rand) (in, bool) {
			var rest programs.Good
			l, ok := atOne(l, r, func(g programs.Good) bool { return g.Count > 1 }, func(g *programs.Good) {
				rest = *g
				rest.Count /= 2
				g.Count -= rest.Count
			})
			return append(l, rest), ok
		}, func(a, b out) bool { return a.Net == b.Net && b.Sales >= a.Sales && b.Dearest <= a.Dearest }),
		pair("all exempt", func(l in, _ *rand.Rand) (in, bool) {
			return changed(l, func(g programs.Good) programs.Good { g.Exempt = true; return g }), true
		}, func(a, b out) bool {
			return b.Sales == 0 && a.Net == b.Net && a.Import == b.Import && a.Total-b.Total == a.Sales
		}),
		pair("none imported", func(l in, _ *rand.Rand) (in, bool) { return home(l, 1), true },
			func(a, b out) bool {
				return b.Import == 0 && a.Net == b.Net && a.Sales == b.Sales && a.Total-b.Total == a.Import
			}),
		pair("a higher rate", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, func(g programs.Good) bool { return isSold(g) && g.Rate < 100 }, func(g *programs.Good) { g.Rate = between(r, g.Rate+1, 100) })
		}, func(a, b out) bool {
			return b.Sales >= a.Sales && a.Net == b.Net && a.Import == b.Import && b.Total-a.Total == b.Sales-a.Sales && b.Dearest >= a.Dearest
		}),
		pair("another rate of what is exempt", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, func(g programs.Good) bool { return isSold(g) && g.Exempt }, func(g *programs.Good) { g.Rate = between(r, 0, 100) })
		}, equal[out]),
		pair("a higher price", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, isSold, func(g *programs.Good) { g.Price += between(r, 1, 5000) })
		}, func(a, b out) bool {
			return b.Net > a.Net && b.Sales >= a.Sales && b.Import >= a.Import && b.Total > a.Total && b.Dearest >= a.Dearest && a.Lines == b.Lines
		}),
		pair("count and price change places", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, func(g programs.Good) bool { return isSold(g) && g.Price > 0 }, func(g *programs.Good) { g.Count, g.Price = g.Price, g.Count })
		}, equal[out]),
		several("of round prices twice the tax", func(l in, _ *rand.Rand) []in {
			return []in{home(l, 500), home(l, 1000)}
		}, func(o []out) bool {
			return o[2].Sales == 2*o[1].Sales && o[2].Net == 2*o[1].Net && o[2].Total == 2*o[1].Total && o[2].Dearest == 2*o[1].Dearest && o[1].Lines == o[0].Lines
		}),
		several("of round prices the rates add up", func(l in, _ *rand.Rand) []in {
			if !allSold(l) || len(l) == 0 {
				return nil
			}
			at := func(rate int) in {
				return changed(home(l, 500), func(g programs.Good) programs.Good { g.Rate = rate; return g })
			}
			return []in{at(10), at(15), at(20), at(0), at(100)}
		}, func(o []out) bool {
			return o[3].Sales-o[2].Sales == o[2].Sales-o[1].Sales && o[4].Sales == 0 && o[5].Sales == 10*o[1].Sales && o[1].Sales <= o[1].Net
		}),
		pair("no duty on what is worth little", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, func(g programs.Good) bool { return isSold(g) && g.Count*g.Price <= 2200 },
				func(g *programs.Good) { g.Imported = !g.Imported })
		}, equal[out]),
		pair("duty on what is worth more", func(l in, r *rand.Rand) (in, bool) {
			return atOne(l, r, func(g programs.Good) bool { return isSold(g) && g.Count*g.Price > 2200 && !g.Imported },
				func(g *programs.Good) { g.Imported = true })
		}, func(a, b out) bool { return b.Import > a.Import && b.Sales == a.Sales && b.Total > a.Total }),
		several("duty is five percent", func(_ in, r *rand.Rand) []in {
			price := between(r, 2201, 89_000)
			return []in{one(price), one(price + 10_000)}
		}, func(o []out) bool { return o[2].Import-o[1].Import == 500 && o[1].Sales == 0 }),
		several("duty is eight percent of what is dear", func(_ in, r *rand.Rand) []in {
			price := between(r, 100_001, 900_000)
			return []in{one(price), one(price + 10_000)}
		}, func(o []out) bool { return o[2].Import-o[1].Import == 800 && o[1].Sales == 0 }),
	}
}
