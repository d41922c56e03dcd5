package programs

// Good is one line of a receipt.
type Good struct {
	Count    int
	Price    int // of one, cents
	Rate     int // percent
	Imported bool
	Exempt   bool // food, books and medicine
}

// Receipt is what is paid for a list of goods, in cents.
type Receipt struct {
	Net, Sales, Import int // prices, and taxes of both kinds
	Total              int
	Lines, Ignored     int
	Dearest            int // of all lines, with taxes
}

// TaxGoods adds the lines up.
func TaxGoods(list []Good) Receipt {
	var r Receipt
	for _, g := range list {
		if g.Count <= 0 || g.Price < 0 || g.Rate < 0 || g.Rate > 100 {
			r.Ignored++
			continue
		}
		r.Lines++
		net := g.Count * g.Price
		sales := 0
		if !g.Exempt {
			sales = taxRounded(net * g.Rate)
		}
		duty := 0
		if g.Imported {
			duty = taxDuty(net)
		}
		r.Net += net
		r.Sales += sales
		r.Import += duty
		if line := net + sales + duty; line > r.Dearest {
			r.Dearest = line
		}
	}
	r.Total = r.Net + r.Sales + r.Import
	return r
}

// taxRounded turns hundredths of cents into cents, up to the next five.
func taxRounded(hundredths int) int {
	cents := (hundredths + 99) / 100
	if rest := cents % 5; rest != 0 {
		cents += 5 - rest
	}
	return cents
}

// taxDuty is five percent, and nothing for what is worth little.
func taxDuty(net int) int {
	if net <= 2200 {
		return 0
	}
	if net > 100_000 {
		return taxRounded(100_000*5) + taxRounded((net-100_000)*8)
	}
	return taxRounded(net * 5)
}
