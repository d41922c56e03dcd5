package subjects

// Aircraft is a type of aeroplane.
type Aircraft int

// The aircraft.
const (
	NarrowAircraft Aircraft = iota
	WideAircraft
	LargeAircraft
)

// Flight is what a caterer is told of a flight.
type Flight struct {
	Aircraft Aircraft
	Minutes  int // in the air
	Hour     int // of departure, 0 to 23
	Business int // passengers
	Economy  int // passengers, children among them
	Children int // not more than Economy
	Special  int // diets ordered, not more than all passengers
	Standby  int // passengers who may still come
	CrewAsks int // changes of the crew's number: more or fewer than usual
	Pilots   int // 2 to 4
}

// MealPlan is what is loaded.
type MealPlan struct {
	Business, Economy, Child, Special int // hot meals, or cold ones on short flights
	Crew, Pilot                       int
	Snacks, Breakfasts                int
	Trolleys                          int
	Cold                              bool
}

// PlanMeals computes what is loaded.
func PlanMeals(f Flight) MealPlan {
	var p MealPlan
	services := mealServices(f.Minutes)
	p.Cold = f.Minutes < 90
	passengers := f.Business + f.Economy

	special := f.Special
	p.Special = special * services
	adults := f.Economy - f.Children
	p.Child = f.Children * services
	// Diets are taken off the meals of adults in economy, then of business.
	if special > adults {
		p.Business = mealWithReserve(f.Business-min(f.Business, special-adults), 5) * services
		adults = 0
	} else {
		p.Business = mealWithReserve(f.Business, 5) * services
		adults -= special
	}
	p.Economy = adults * services
	if f.Standby > 0 && f.Minutes >= 90 {
		extra := f.Standby
		if free := mealSeats(f.Aircraft) - passengers; extra > free {
			extra = max(free, 0)
		}
		p.Economy += extra
	}
	if f.Hour >= 4 && f.Hour < 10 && services > 0 {
		p.Breakfasts = p.Economy / services
		p.Economy -= p.Breakfasts
	}
	p.Crew = mealCrew(f.Aircraft, f.CrewAsks) * max(services, 1)
	p.Pilot = f.Pilots
	if f.Minutes > 360 {
		p.Pilot = f.Pilots * 2
	}
	p.Snacks = passengers
	switch {
	case f.Minutes > 540:
		p.Snacks *= 3
	case services == 0 || f.Minutes > 300:
		p.Snacks *= 2
	}
	load := p.Business + p.Economy + p.Child + p.Special + p.Breakfasts + p.Crew + p.Pilot
	p.Trolleys = (load + 27) / 28
	if p.Snacks > 150 {
		p.Trolleys += p.Snacks / 150
	}
	return p
}

// mealServices is how often everybody eats.
func mealServices(minutes int) int {
	switch {
	case minutes < 45:
		return 0
	case minutes <= 300:
		return 1
	case minutes <= 660:
		return 2
	}
	return 3
}

// mealSeats is how many passengers there can be.
func mealSeats(a Aircraft) int {
	switch a {
	case NarrowAircraft:
		return 180
	case WideAircraft:
		return 290
	}
	return 440
}

// mealWithReserve adds one meal for each started number, so that there is a
// choice.
func mealWithReserve(n, each int) int {
	if n == 0 {
		return 0
	}
	return n + (n+each-1)/each
}

// mealCrew is how many of the cabin crew fly.
func mealCrew(a Aircraft, asks int) int {
	crew := 4
	switch a {
	case WideAircraft:
		crew = 9
	case LargeAircraft:
		crew = 16
	}
	crew += asks
	if crew < 3 {
		return 3
	}
	return crew
}
