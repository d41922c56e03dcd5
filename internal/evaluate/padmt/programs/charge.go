package programs

// Way is how soon a transfer arrives.
type Way int

// The ways.
const (
	InstantWay Way = iota
	SameDayWay
	NextDayWay
)

// Account is the one that money is sent from; amounts are cents.
type Account struct {
	ID      int
	Balance int
	Free    int // may still be sent without a fee
}

// Transfer is one order.
type Transfer struct {
	To     int  // ID of the account that receives
	Known  bool // the holder's name is that of the account
	Amount int
	Way    Way
}

// Orders are what a customer sends within one day.
type Orders struct {
	From      Account
	Transfers []Transfer
}

// Statement is what became of them.
type Statement struct {
	Done, Refused, Short int // transfers: carried out, not allowed, without enough money
	Sent, Fees           int
	Surcharge            int // part of the fees, for haste
	Balance, Free        int // of the account afterwards
}

// ChargeTransfers carries the orders out, one after the other.
func ChargeTransfers(o Orders) Statement {
	s := Statement{Balance: o.From.Balance, Free: o.From.Free}
	instant := 0
	for _, t := range o.Transfers {
		if t.To == o.From.ID || t.Amount <= 0 || !t.Known && t.Amount > 100_000 {
			s.Refused++
			continue
		}
		if t.Way == InstantWay && instant+t.Amount > 5_000_000 {
			s.Refused++
			continue
		}
		paid, free := chargeFee(t.Amount, s.Free)
		surcharge := chargeHaste(t)
		if t.Amount+paid+surcharge > s.Balance {
			s.Short++
			continue
		}
		if t.Way == InstantWay {
			instant += t.Amount
		}
		s.Done++
		s.Sent += t.Amount
		s.Fees += paid + surcharge
		s.Surcharge += surcharge
		s.Free = free
		s.Balance -= t.Amount + paid + surcharge
	}
	return s
}

// chargeFee takes a tenth of a percent of what is not free, at least 10 cents and at most
// 2,500. It returns what may be sent without a fee from then on.
func chargeFee(amount, free int) (fee, left int) {
	if amount <= free {
		return 0, free - amount
	}
	fee = (amount - free) / 1000
	if fee < 10 {
		fee = 10
	} else if fee > 2500 {
		fee = 2500
	}
	return fee, 0
}

// chargeHaste is what the way costs.
func chargeHaste(t Transfer) int {
	switch t.Way {
	case InstantWay:
		if t.Amount > 1_000_000 {
			return 200
		}
		return 50
	case SameDayWay:
		return 20
	}
	return 0
}
