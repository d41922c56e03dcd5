package programs

// Unit is what angles are counted in.
type Unit int

// The units.
const (
	Degrees Unit = iota
	Gradians
	Turns
)

// Direction is an angle, in thousandths of its unit.
type Direction struct {
	Unit  Unit
	Value int
	// Centre is the middle of the turn that the angle is brought into.
	Centre int
}

// Heading is the same direction within that turn.
type Heading struct {
	Value    int // from half a turn below the centre, up to but without half a turn above
	Turned   int // whole turns that were added
	Quadrant int // of the direction, from 1 to 4, counted from 0
	Straight bool
}

// NormalizeAngle brings an angle into the turn around a centre.
func NormalizeAngle(d Direction) Heading {
	turn := angleTurn(d.Unit)
	low := d.Centre - turn/2
	h := Heading{Value: d.Value}
	if d.Value < low {
		h.Turned = (low - d.Value + turn - 1) / turn
	} else if d.Value >= low+turn {
		h.Turned = -((d.Value - low) / turn)
	}
	h.Value += h.Turned * turn
	from := h.Value % turn
	if from < 0 {
		from += turn
	}
	switch quarter := turn / 4; {
	case from < quarter:
		h.Quadrant = 1
	case from < 2*quarter:
		h.Quadrant = 2
	case from < 3*quarter:
		h.Quadrant = 3
	default:
		h.Quadrant = 4
	}
	h.Straight = from%(turn/4) == 0
	return h
}

// angleTurn is a whole turn.
func angleTurn(u Unit) int {
	switch u {
	case Degrees:
		return 360_000
	case Gradians:
		return 400_000
	}
	return 1000
}
