package subjects

// Vehicle is what is parked.
type Vehicle int

// The vehicles.
const (
	CarVehicle Vehicle = iota
	MotorcycleVehicle
	VanVehicle
)

// Stay is one stay in the garage.
type Stay struct {
	Vehicle  Vehicle
	Day      int // of arrival, 0 is Monday
	Hour     int // of arrival, 0 to 23
	Minutes  int // of the stay
	Resident bool
	Electric bool // charges while parked
	Lost     bool // the ticket
	Coupon   int  // cents
}

// ParkingCharge is what the stay costs, in cents.
type ParkingCharge struct {
	Daytime, Night int // for hours of either kind
	Capped         int // what the daily maximum took off
	Power, Fine    int
	Redeemed       int // of the coupon
	Total          int
}

// ChargeParking computes the charge.
func ChargeParking(s Stay) ParkingCharge {
	var c ParkingCharge
	if s.Lost {
		c.Fine = 2000
	}
	if s.Minutes > 15 || s.Lost {
		parkingHours(s, &c)
	}
	switch s.Vehicle {
	case MotorcycleVehicle:
		c.Daytime /= 2
		c.Night /= 2
		c.Capped /= 2
	case VanVehicle:
		c.Daytime += c.Daytime / 2
	}
	if s.Electric && s.Vehicle != MotorcycleVehicle {
		c.Power = 300
		if s.Minutes > 240 {
			c.Power += (s.Minutes - 240) / 60 * 100
		}
	}
	due := c.Daytime + c.Night - c.Capped
	if s.Resident && due > 0 {
		due -= due / 4
	}
	due += c.Power + c.Fine
	c.Redeemed = s.Coupon
	if s.Coupon > due {
		c.Redeemed = due
	}
	c.Total = due - c.Redeemed
	return c
}

// parkingHours prices started hours, day by day.
func parkingHours(s Stay, c *ParkingCharge) {
	day, hour := s.Day, s.Hour
	spent := 0 // on the current day
	for n := (s.Minutes + 59) / 60; n > 0; n-- {
		rate, night := parkingRate(day, hour)
		if night {
			c.Night += rate
		} else {
			c.Daytime += rate
		}
		spent += rate
		if over := spent - 2200; over > 0 {
			c.Capped += over
			spent = 2200
		}
		hour++
		if hour == 24 {
			hour, spent = 0, 0
			day = (day + 1) % 7
		}
	}
}

// parkingRate returns what an hour costs that begins then.
func parkingRate(day, hour int) (rate int, night bool) {
	if hour < 7 || hour >= 20 {
		return 80, true
	}
	switch {
	case day == 6:
		return 120, false
	case day == 5 && hour < 14:
		return 320, false
	case day == 5:
		return 200, false
	case hour >= 9 && hour < 17:
		return 360, false
	}
	return 260, false
}
