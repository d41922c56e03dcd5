package properties

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func charge() properties.Subject {
	return properties.Definition[programs.Orders, programs.Statement]{
		Name: "charge", Run: programs.ChargeTransfers, Random: randomOrders, Relations: chargeRelations(),
	}
}

func randomOrders(r *rand.Rand) programs.Orders {
	o := programs.Orders{From: programs.Account{ID: between(r, 1, 6), Balance: between(r, 0, 3_000_000)}}
	if r.IntN(3) > 0 {
		o.From.Balance = between(r, 3_000_000, 20_000_000)
	}
	if r.IntN(2) == 0 {
		o.From.Free = between(r, 0, 200_000)
	}
	for range r.IntN(6) {
		t := programs.Transfer{To: between(r, 1, 6), Known: r.IntN(3) > 0, Amount: between(r, 1, 200_000), Way: programs.Way(r.IntN(3))}
		switch r.IntN(6) {
		case 0:
			t.Amount = between(r, 1, 20_000)
		case 1:
			t.Amount = between(r, 900_000, 4_000_000)
		case 2:
			t.Amount = []int{-1, 0, 100_000, 1_000_000, 5_000_000}[r.IntN(5)] + between(r, 0, 1)
		}
		o.Transfers = append(o.Transfers, t)
	}
	return o
}

// plenty is more money than any orders send.
const plenty = 1_000_000_000

// rich is the same orders, from an account with plenty of money and nothing free.
func rich(o programs.Orders, change func(programs.Transfer) programs.Transfer) programs.Orders {
	o.From.Balance, o.From.Free = plenty, 0
	o.Transfers = changed(o.Transfers, change)
	return o
}

// by sends in one way.
func by(w programs.Way) func(programs.Transfer) programs.Transfer {
	return func(t programs.Transfer) programs.Transfer { t.Way = w; return t }
}

// amounts replaces amounts, and sends to somebody known in the slowest way.
func amounts(o programs.Orders, amount func(old int) int) programs.Orders {
	other := o.From.ID + 1
	return rich(o, func(t programs.Transfer) programs.Transfer {
		return programs.Transfer{To: other, Known: true, Amount: amount(max(t.Amount, 0)), Way: programs.NextDayWay}
	})
}

func chargeRelations() []relation[programs.Orders, programs.Statement] {
	type (
		in  = programs.Orders
		out = programs.Statement
	)
	with := func(o in, at int, t programs.Transfer) in {
		o.Transfers = slices.Insert(slices.Clone(o.Transfers), at, t)
		return o
	}
	each := func(o in, change func(programs.Transfer) programs.Transfer) in {
		o.Transfers = changed(o.Transfers, change)
		return o
	}
	return []relation[in, out]{
		pair("a transfer that is not allowed", func(o in, r *rand.Rand) (in, bool) {
			t := programs.Transfer{To: o.From.ID + 1, Known: true, Amount: between(r, 1, 90_000), Way: programs.Way(r.IntN(3))}
			switch r.IntN(4) {
			case 0:
				t.To = o.From.ID
			case 1:
				t.Amount = -between(r, 0, 500)
			case 2:
				t.Known, t.Amount = false, between(r, 100_001, 900_000)
			default:
				t.Way, t.Amount = programs.InstantWay, between(r, 5_000_001, 9_000_000)
			}
			return with(o, r.IntN(len(o.Transfers)+1), t), true
		}, func(a, b out) bool { a.Refused++; return a == b }),
		pair("more than there is", func(o in, r *rand.Rand) (in, bool) {
			t := programs.Transfer{To: o.From.ID + 1, Known: true, Amount: o.From.Balance + between(r, 0, 900), Way: programs.SameDayWay}
			return with(o, r.IntN(len(o.Transfers)+1), t), t.Amount > 0
		}, func(a, b out) bool { a.Short++; return a == b }),
		relation[in, out]{Name: "more money", Follow: func(o in, r *rand.Rand) []in {
			o.From.Balance += between(r, 1, 500_000)
			return []in{o}
		}, Holds: func(i []in, o []out) bool {
			more := i[1].From.Balance - i[0].From.Balance
			a, b := o[0], o[1]
			if a.Sent+a.Fees+a.Balance+more != b.Sent+b.Fees+b.Balance || a.Refused > b.Refused+a.Short {
				return false
			}
			a.Balance += more
			return a.Short > 0 || a == b
		}},
		relation[in, out]{Name: "more is free", Follow: func(o in, r *rand.Rand) []in {
			o.From.Free += between(r, 1, 150_000)
			return []in{o}
		}, Holds: func(i []in, o []out) bool {
			more := i[1].From.Free - i[0].From.Free
			a, b := o[0], o[1]
			return a.Short > 0 || b.Fees <= a.Fees && b.Sent == a.Sent && b.Surcharge == a.Surcharge && b.Done == a.Done &&
				b.Free >= a.Free && b.Free-a.Free <= more && a.Fees-b.Fees == b.Balance-a.Balance
		}},
		pair("all is free", func(o in, _ *rand.Rand) (in, bool) { o.From.Free = plenty; return o, true },
			func(a, b out) bool {
				return a.Short > 0 || b.Fees == b.Surcharge && b.Sent == a.Sent && b.Free == plenty-b.Sent && b.Surcharge == a.Surcharge
			}),
		pair("accounts with other numbers", func(o in, r *rand.Rand) (in, bool) {
			by := between(r, 1, 50)
			o.From.ID += by
			return each(o, func(t programs.Transfer) programs.Transfer { t.To += by; return t }), true
		}, equal[out]),
		pair("another receiver", func(o in, _ *rand.Rand) (in, bool) {
			return each(o, func(t programs.Transfer) programs.Transfer {
				if t.To != o.From.ID {
					t.To = o.From.ID + 7
				}
				return t
			}), true
		}, equal[out]),
		pair("small sums need no name", func(o in, _ *rand.Rand) (in, bool) {
			return each(o, func(t programs.Transfer) programs.Transfer { t.Known = t.Known != (t.Amount <= 100_000); return t }), true
		}, equal[out]),
		several("known receivers", func(o in, _ *rand.Rand) []in {
			o = rich(o, by(programs.SameDayWay))
			return []in{o, each(o, func(t programs.Transfer) programs.Transfer { t.Known = true; return t })}
		}, func(o []out) bool { return o[2].Refused <= o[1].Refused && o[2].Sent >= o[1].Sent && o[2].Short == 0 }),
		several("same day costs more than the next", func(o in, _ *rand.Rand) []in {
			return []in{rich(o, by(programs.NextDayWay)), rich(o, by(programs.SameDayWay))}
		}, func(o []out) bool {
			a, b := o[1], o[2]
			return b.Surcharge == 20*b.Done && a.Surcharge == 0 && b.Fees-a.Fees == b.Surcharge && a.Done == b.Done && a.Sent == b.Sent && a.Refused == b.Refused
		}),
		several("small sums at once", func(o in, r *rand.Rand) []in {
			small := amounts(o, func(old int) int { return old%800_000 + 1 })
			return []in{small, each(small, by(programs.InstantWay))}
		}, func(o []out) bool {
			a, b := o[1], o[2]
			return a.Done == b.Done && b.Surcharge == 50*b.Done && b.Fees-a.Fees == b.Surcharge && a.Sent == b.Sent
		}),
		several("a large sum at once", func(o in, r *rand.Rand) []in {
			o.Transfers = []programs.Transfer{{}}
			large := amounts(o, func(int) int { return between(r, 1_000_001, 5_000_000) })
			return []in{large, each(large, by(programs.InstantWay))}
		}, func(o []out) bool { return o[1].Done == 1 && o[2].Fees-o[1].Fees == 200 && o[2].Surcharge == 200 }),
		several("so much a day at once", func(o in, _ *rand.Rand) []in {
			return []in{rich(o, by(programs.SameDayWay)), rich(o, by(programs.InstantWay))}
		}, func(o []out) bool {
			a, b := o[1], o[2]
			return b.Sent <= 5_000_000 && a.Done+a.Refused == b.Done+b.Refused && b.Done <= a.Done && (a.Sent > 5_000_000 || a.Sent == b.Sent)
		}),
		several("on two days", func(o in, r *rand.Rand) []in {
			o = rich(o, func(t programs.Transfer) programs.Transfer { t.Way = max(t.Way, programs.SameDayWay); return t })
			at := r.IntN(len(o.Transfers) + 1)
			a, b := o, o
			a.Transfers, b.Transfers = o.Transfers[:at], o.Transfers[at:]
			return []in{o, a, b}
		}, func(o []out) bool {
			a, b := o[2], o[3]
			return o[1] == out{Done: a.Done + b.Done, Refused: a.Refused + b.Refused, Sent: a.Sent + b.Sent, Fees: a.Fees + b.Fees,
				Surcharge: a.Surcharge + b.Surcharge, Balance: a.Balance + b.Balance - plenty}
		}),
		several("in another order", func(o in, r *rand.Rand) []in {
			o = rich(o, func(t programs.Transfer) programs.Transfer { t.Way = max(t.Way, programs.SameDayWay); return t })
			p := o
			p.Transfers = shuffled(o.Transfers, r)
			return []in{o, p}
		}, func(o []out) bool { return o[1] == o[2] }),
		several("a tenth of a percent", func(o in, _ *rand.Rand) []in {
			a := amounts(o, func(old int) int { return 10_000 + old%2_480_000 })
			return []in{a, each(a, func(t programs.Transfer) programs.Transfer { t.Amount += 10_000; return t })}
		}, func(o []out) bool { return o[2].Fees-o[1].Fees == 10*o[1].Done && o[1].Done == o[2].Done }),
		several("at least so much", func(o in, _ *rand.Rand) []in {
			return []in{amounts(o, func(old int) int { return old%10_000 + 1 }), amounts(o, func(old int) int { return 10_000 - old%10_000 })}
		}, func(o []out) bool { return o[1].Fees == o[2].Fees && o[1].Fees == 10*o[1].Done }),
		several("at most so much", func(o in, _ *rand.Rand) []in {
			return []in{amounts(o, func(old int) int { return 2_501_000 + old }), amounts(o, func(old int) int { return 4_000_000 + old })}
		}, func(o []out) bool { return o[1].Fees == o[2].Fees && o[1].Fees == 2500*o[1].Done }),
		several("as much as is free", func(o in, _ *rand.Rand) []in {
			a := amounts(o, func(old int) int { return old + 1 })
			sum := 0
			for _, t := range a.Transfers {
				sum += t.Amount
			}
			a.From.Free = sum
			b := a
			b.From.Balance = sum
			return []in{a, b}
		}, func(o []out) bool {
			return o[1].Fees == 0 && o[1].Free == 0 && o[2].Balance == 0 && o[1].Done == o[2].Done && o[1].Sent == o[2].Sent
		}),
		pair("a small transfer at the end", func(o in, r *rand.Rand) (in, bool) {
			return with(o, len(o.Transfers), programs.Transfer{To: o.From.ID + 1, Known: true, Amount: between(r, 1, 5000), Way: programs.NextDayWay}), true
		}, func(a, b out) bool {
			return b.Refused == a.Refused && b.Done+b.Short == a.Done+a.Short+1 && b.Sent >= a.Sent && b.Balance <= a.Balance && b.Free <= a.Free
		}),
	}
}
