package subjects

// Cabin is where a passenger sits.
type Cabin int

// The cabins.
const (
	EconomyCabin Cabin = iota
	PremiumCabin
	BusinessCabin
)

// FlyerStatus is that of the airline's programme.
type FlyerStatus int

// The statuses.
const (
	NoStatus FlyerStatus = iota
	SilverStatus
	GoldStatus
)

// Luggage is what a passenger brings.
type Luggage struct {
	Cabin         Cabin
	Status        FlyerStatus
	International bool
	Student       bool
	Bags          []int // weights in kilograms
	CarryOn       int   // kilograms
	Fare          int   // cents
}

// BaggageFee is what the airline takes for it, in cents.
type BaggageFee struct {
	Refused                 int // bags that are too heavy to be carried at all
	Free                    int // bags without a fee of their own
	Extra, Weight, CarryOn  int
	Reduction, Total, Heavy int // Heavy is how many bags pay by weight
}

// ChargeBaggage computes the fee.
func ChargeBaggage(l Luggage) BaggageFee {
	var f BaggageFee
	allowed, limit := baggageAllowance(l)
	taken := 0
	for _, kg := range l.Bags {
		if kg > 45 {
			f.Refused++
			continue
		}
		taken++
		if kg <= limit {
			continue
		}
		f.Heavy++
		over := kg - limit
		if over > 9 {
			f.Weight += 9*800 + (over-9)*1500
		} else {
			f.Weight += over * 800
		}
	}
	f.Free = taken
	if taken > allowed {
		f.Free = allowed
		f.Extra = baggageExtra(taken-allowed, l.International)
	}
	f.CarryOn = baggageCarryOn(l.Cabin, l.CarryOn)
	if l.Status == GoldStatus {
		f.Reduction = f.Extra / 2
	} else if l.Student && l.International && l.Cabin == EconomyCabin {
		f.Reduction = f.Extra / 4
	}
	f.Total = f.Extra + f.Weight + f.CarryOn - f.Reduction
	// Nobody pays more for bags than three fares.
	if most := 3 * l.Fare; f.Total > most {
		f.Reduction += f.Total - most
		f.Total = most
	}
	return f
}

// baggageAllowance returns the number of bags without a fee, and the kilograms of
// each that cost nothing.
func baggageAllowance(l Luggage) (bags, kg int) {
	kg = 23
	switch l.Cabin {
	case EconomyCabin:
		if l.International {
			bags = 1
		}
	case PremiumCabin:
		bags = 1
		if l.International {
			bags = 2
		}
	case BusinessCabin:
		bags, kg = 2, 32
	}
	if l.Status != NoStatus {
		bags++
	}
	if l.Status == GoldStatus && kg < 32 {
		kg += 5
	}
	return bags, kg
}

// baggageExtra prices bags beyond the allowance, each dearer than the last, up
// to the third.
func baggageExtra(n int, international bool) int {
	price := 3500
	if international {
		price = 6000
	}
	sum := price
	if n >= 2 {
		sum += price + 1500
	}
	if n >= 3 {
		sum += (n - 2) * (price + 4000)
	}
	return sum
}

// baggageCarryOn prices what is too heavy for the cabin.
func baggageCarryOn(c Cabin, kg int) int {
	limit := 8
	if c == BusinessCabin {
		limit = 14
	}
	switch {
	case kg <= limit:
		return 0
	case kg <= limit+4:
		return 2500
	}
	return 2500 + 1000*(kg-limit-4)
}
