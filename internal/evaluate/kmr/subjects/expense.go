package subjects

// Grade is that of an employee.
type Grade int

// The grades.
const (
	StaffGrade Grade = iota
	ManagerGrade
	DirectorGrade
)

// Trip is a claim for a business trip; amounts are cents.
type Trip struct {
	Grade    Grade
	BigCity  bool
	Days     int // 1 or more
	Nights   int
	Hotel    int // for each night
	Meals    int // for all days
	Invited  int // meals that somebody else paid
	Miles    int // by own car
	Fare     int // trains and flights
	Receipts bool
	Advance  int // already paid out
}

// Reimbursement is what of it the company pays.
type Reimbursement struct {
	Hotel, Meals, Car, Fare int
	Allowed                 int // sum of these
	Payable, Owed           int // after the advance: to the employee, or by them
	Own                     int // what the employee bears
	Approval                int // 0 none, 1 superior, 2 board
}

// Reimburse applies the company's rules to a claim.
func Reimburse(t Trip) Reimbursement {
	var r Reimbursement
	rate := expenseHotel(t.Grade, t.BigCity)
	paid := t.Hotel
	if paid > rate {
		paid = rate
		if t.Receipts && t.Grade != StaffGrade { // half of what is above
			paid += (t.Hotel - rate) / 2
		}
	}
	r.Hotel = paid * t.Nights
	r.Meals = expenseMeals(t)
	r.Car = expenseCar(t.Miles)
	r.Fare = t.Fare
	if !t.Receipts && t.Fare > 5000 {
		r.Fare = 5000
	}
	r.Allowed = r.Hotel + r.Meals + r.Car + r.Fare
	if t.Advance > r.Allowed {
		r.Owed = t.Advance - r.Allowed
	} else {
		r.Payable = r.Allowed - t.Advance
	}
	r.Own = t.Hotel*t.Nights - r.Hotel
	if t.Fare > r.Fare {
		r.Own += t.Fare - r.Fare
	}
	switch {
	case r.Allowed > 300000:
		r.Approval = 2
	case r.Allowed > 80000 && t.Grade == StaffGrade:
		r.Approval = 1
	case r.Allowed > 150000:
		r.Approval = 1
	}
	return r
}

// expenseHotel returns the most that a night may cost.
func expenseHotel(g Grade, bigCity bool) int {
	rate := 9000
	switch g {
	case ManagerGrade:
		rate = 12000
	case DirectorGrade:
		rate = 18000
	}
	if bigCity {
		rate += 4000
	}
	return rate
}

// expenseMeals pays a flat rate without receipts, and with them what was spent,
// up to twice the rate.
func expenseMeals(t Trip) int {
	rate := 2800
	if t.Grade == DirectorGrade {
		rate = 4400
	}
	flat := rate * t.Days
	if t.Days > 1 {
		flat -= rate / 2 // the days of departure and return count less
	}
	flat -= 900 * t.Invited
	if flat < 0 {
		flat = 0
	}
	if !t.Receipts {
		return flat
	}
	if t.Meals > 2*flat {
		return 2 * flat
	}
	return t.Meals
}

// expenseCar pays for miles, less for those beyond what a car is meant for.
func expenseCar(miles int) int {
	if miles <= 20 {
		return 0
	}
	if miles > 500 {
		return 500*52 + (miles-500)*30
	}
	return miles * 52
}
