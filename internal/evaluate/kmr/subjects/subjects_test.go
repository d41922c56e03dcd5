package subjects

import "testing"

// Each example was worked out by hand from the rules.
func TestPhone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		month PhoneMonth
		want  PhoneBill
	}{
		{PhoneMonth{Minutes: 70, Abroad: 2, Texts: 60, Megabytes: 201}, PhoneBill{Fee: 900, Calls: 90, Abroad: 90, Texts: 70, Data: 120, Total: 1270}},
		{PhoneMonth{Minutes: 760, Years: 5}, PhoneBill{Fee: 900, Calls: 5800, Discount: 670, Total: 6030}},
		{PhoneMonth{Plan: DataPlan, Bundle: 3, Minutes: 500, Abroad: 30, Megabytes: 20_000, Years: 2}, PhoneBill{Fee: 4400, Data: 2400, Discount: 220, Total: 6580, Throttled: true}},
		{PhoneMonth{Bundle: 1, Abroad: 130, Texts: 1000, Years: 1}, PhoneBill{Fee: 1900, Abroad: 5700, Texts: 700, Discount: 100, Total: 8200}},
	} {
		if got := BillPhone(test.month); got != test.want {
			t.Errorf("%+v:\n got %+v\nwant %+v", test.month, got, test.want)
		}
	}
}

func TestBaggage(t *testing.T) {
	t.Parallel()
	const fare = 100_000
	for _, test := range []struct {
		luggage Luggage
		want    BaggageFee
	}{
		{Luggage{Bags: []int{20, 50}, Fare: fare}, BaggageFee{Refused: 1, Extra: 3500, Total: 3500}},
		{Luggage{International: true, Student: true, Bags: []int{20, 20, 35}, Fare: fare}, BaggageFee{Free: 1, Extra: 13_500, Weight: 11_700, Reduction: 3375, Total: 21_825, Heavy: 1}},
		{Luggage{Cabin: BusinessCabin, Status: GoldStatus, Bags: []int{32, 33, 1, 2}, CarryOn: 20, Fare: fare}, BaggageFee{Free: 3, Extra: 3500, Weight: 800, CarryOn: 4500, Reduction: 1750, Total: 7050, Heavy: 1}},
		{Luggage{CarryOn: 9, Fare: 500}, BaggageFee{CarryOn: 2500, Reduction: 1000, Total: 1500}},
	} {
		if got := ChargeBaggage(test.luggage); got != test.want {
			t.Errorf("%+v:\n got %+v\nwant %+v", test.luggage, got, test.want)
		}
	}
}

func TestExpense(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		trip Trip
		want Reimbursement
	}{
		{Trip{Days: 2, Nights: 1, Hotel: 10_000, Miles: 20, Fare: 6000, Advance: 1000}, Reimbursement{Hotel: 9000, Meals: 4200, Fare: 5000, Allowed: 18_200, Payable: 17_200, Own: 2000}},
		{Trip{Grade: ManagerGrade, BigCity: true, Days: 1, Nights: 2, Hotel: 20_000, Meals: 9000, Receipts: true, Miles: 600, Advance: 100_000}, Reimbursement{Hotel: 36_000, Meals: 5600, Car: 29_000, Allowed: 70_600, Owed: 29_400, Own: 4000}},
		{Trip{Days: 1, Invited: 4, Fare: 80_001, Receipts: true}, Reimbursement{Fare: 80_001, Allowed: 80_001, Payable: 80_001, Approval: 1}},
		{Trip{Grade: DirectorGrade, Days: 1, Fare: 300_000, Receipts: true, Meals: 1}, Reimbursement{Meals: 1, Fare: 300_000, Allowed: 300_001, Payable: 300_001, Approval: 2}},
	} {
		if got := Reimburse(test.trip); got != test.want {
			t.Errorf("%+v:\n got %+v\nwant %+v", test.trip, got, test.want)
		}
	}
}

func TestParking(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		stay Stay
		want ParkingCharge
	}{
		{Stay{Hour: 10, Minutes: 15}, ParkingCharge{}},
		{Stay{Hour: 10, Minutes: 61, Coupon: 100}, ParkingCharge{Daytime: 720, Redeemed: 100, Total: 620}},
		{Stay{Day: 6, Hour: 22, Minutes: 600, Resident: true}, ParkingCharge{Daytime: 260, Night: 720, Total: 735}},
		{Stay{Vehicle: VanVehicle, Day: 5, Hour: 13, Minutes: 120, Electric: true}, ParkingCharge{Daytime: 780, Power: 300, Total: 1080}},
		{Stay{Vehicle: MotorcycleVehicle, Hour: 9, Minutes: 480, Electric: true, Lost: true}, ParkingCharge{Daytime: 1440, Capped: 340, Fine: 2000, Total: 3100}},
	} {
		if got := ChargeParking(test.stay); got != test.want {
			t.Errorf("%+v:\n got %+v\nwant %+v", test.stay, got, test.want)
		}
	}
}

func TestMeal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flight Flight
		want   MealPlan
	}{
		{Flight{Minutes: 40, Economy: 100, Pilots: 2}, MealPlan{Crew: 4, Pilot: 2, Snacks: 200, Trolleys: 2, Cold: true}},
		{Flight{Aircraft: WideAircraft, Minutes: 500, Hour: 6, Business: 11, Economy: 50, Children: 10, Special: 5, Standby: 3, Pilots: 3},
			MealPlan{Business: 28, Economy: 37, Child: 20, Special: 10, Crew: 18, Pilot: 6, Snacks: 122, Breakfasts: 36, Trolleys: 6}},
		{Flight{Minutes: 120, Business: 4, Economy: 3, Special: 5, Standby: 500, CrewAsks: -3, Pilots: 2},
			MealPlan{Business: 3, Economy: 173, Special: 5, Crew: 3, Pilot: 2, Snacks: 7, Trolleys: 7}},
	} {
		if got := PlanMeals(test.flight); got != test.want {
			t.Errorf("%+v:\n got %+v\nwant %+v", test.flight, got, test.want)
		}
	}
}
