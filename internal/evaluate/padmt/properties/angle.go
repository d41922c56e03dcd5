package properties

import (
	"math/rand/v2"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func angle() properties.Subject {
	return properties.Definition[programs.Direction, programs.Heading]{
		Name: "angle", Run: programs.NormalizeAngle, Random: randomDirection, Relations: angleRelations(),
	}
}

// wholeTurn is a turn in thousandths of the unit.
func wholeTurn(u programs.Unit) int {
	return map[programs.Unit]int{programs.Degrees: 360_000, programs.Gradians: 400_000, programs.Turns: 1000}[u]
}

func randomDirection(r *rand.Rand) programs.Direction {
	d := programs.Direction{Unit: programs.Unit(r.IntN(3))}
	turn := wholeTurn(d.Unit)
	some := func(turns int) int {
		switch r.IntN(4) {
		case 0:
			return between(r, -8*turns, 8*turns) * turn / 8
		case 1:
			return between(r, -4*turns, 4*turns)*turn/4 + between(r, -1, 1)
		case 2:
			return between(r, -turns*turn/360, turns*turn/360) * 360
		}
		return between(r, -turns*turn, turns*turn)
	}
	d.Value = some(4)
	if r.IntN(2) == 0 {
		d.Centre = some(2)
	}
	return d
}

func angleRelations() []relation[programs.Direction, programs.Heading] {
	type (
		in  = programs.Direction
		out = programs.Heading
	)
	// holds is a relation whose follow-up input differs by a known number.
	holds := func(name string, change func(i in, r *rand.Rand) (in, bool), holds func(i, j in, a, b out) bool) relation[in, out] {
		p := pair[in, out](name, change, nil)
		p.Holds = func(i []in, o []out) bool { return holds(i[0], i[1], o[0], o[1]) }
		return p
	}
	next := func(quadrant, by int) int { return (quadrant-1+by)%4 + 1 }
	scaled := func(name string, to programs.Unit, by, of int) relation[in, out] {
		return pair(name, func(d in, _ *rand.Rand) (in, bool) {
			ok := d.Unit == programs.Degrees && d.Value%of == 0 && d.Centre%of == 0
			return in{Unit: to, Value: d.Value / of * by, Centre: d.Centre / of * by}, ok
		}, func(a, b out) bool {
			return a.Value == b.Value/by*of && b.Value%by == 0 && a.Turned == b.Turned && a.Quadrant == b.Quadrant && a.Straight == b.Straight
		})
	}
	return []relation[in, out]{
		holds("whole turns", func(d in, r *rand.Rand) (in, bool) {
			d.Value += between(r, -5, 5) * wholeTurn(d.Unit)
			return d, true
		}, func(i, j in, a, b out) bool {
			a.Turned -= (j.Value - i.Value) / wholeTurn(i.Unit)
			return a == b
		}),
		holds("angle and centre moved", func(d in, r *rand.Rand) (in, bool) {
			by := between(r, -3000, 3000)
			d.Value, d.Centre = d.Value+by, d.Centre+by
			return d, true
		}, func(i, j in, a, b out) bool { return b.Value-a.Value == j.Value-i.Value && a.Turned == b.Turned }),
		holds("the centre a turn on", func(d in, r *rand.Rand) (in, bool) {
			d.Centre += between(r, -3, 3) * wholeTurn(d.Unit)
			return d, true
		}, func(i, j in, a, b out) bool {
			a.Turned += (j.Centre - i.Centre) / wholeTurn(i.Unit)
			a.Value += j.Centre - i.Centre
			return a == b
		}),
		holds("the centre anywhere", func(d in, r *rand.Rand) (in, bool) {
			d.Centre += between(r, -1000, 1000)
			return d, true
		}, func(i, _ in, a, b out) bool {
			return a.Quadrant == b.Quadrant && a.Straight == b.Straight && b.Value-a.Value == (b.Turned-a.Turned)*wholeTurn(i.Unit)
		}),
		holds("a step on", func(d in, r *rand.Rand) (in, bool) {
			d.Value += between(r, 1, 4000)
			return d, true
		}, func(i, j in, a, b out) bool {
			return b.Value-a.Value == j.Value-i.Value+(b.Turned-a.Turned)*wholeTurn(i.Unit) && b.Turned <= a.Turned
		}),
		pair("a quarter on", func(d in, _ *rand.Rand) (in, bool) { d.Value += wholeTurn(d.Unit) / 4; return d, true },
			func(a, b out) bool { return b.Quadrant == next(a.Quadrant, 1) && a.Straight == b.Straight }),
		pair("the other way", func(d in, _ *rand.Rand) (in, bool) { d.Value += wholeTurn(d.Unit) / 2; return d, true },
			func(a, b out) bool {
				return b.Quadrant == next(a.Quadrant, 2) && a.Straight == b.Straight && a.Value != b.Value
			}),
		pair("mirrored", func(d in, _ *rand.Rand) (in, bool) { d.Value = -d.Value; return d, true },
			func(a, b out) bool { return a.Straight == b.Straight && (a.Straight || a.Quadrant+b.Quadrant == 5) }),
		holds("mirrored around zero", func(d in, _ *rand.Rand) (in, bool) { d.Value = -d.Value; return d, d.Centre == 0 },
			func(i, _ in, a, b out) bool {
				if 2*a.Value == -wholeTurn(i.Unit) {
					return a.Value == b.Value && a.Quadrant == b.Quadrant
				}
				return a.Value == -b.Value && a.Turned == -b.Turned
			}),
		holds("already within the turn", func(d in, r *rand.Rand) (in, bool) {
			turn := wholeTurn(d.Unit)
			d.Value = d.Centre - turn/2 + between(r, 0, turn-1)
			return d, true
		}, func(_, j in, _, b out) bool { return b.Value == j.Value && b.Turned == 0 }),
		scaled("gradians", programs.Gradians, 10, 9),
		scaled("turns", programs.Turns, 1, 360),
	}
}
