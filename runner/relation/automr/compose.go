package automr

import (
	"math"
	"sort"
	"strconv"
)

// A word is a relation of type I that can be solved for the follow-up outputs:
// o(g(x)) = M o(x) + c. Words compose, so what is made of kept ones is redundant:
// f(x+4π) = f(x) says nothing new once f(x+2π) = f(x) is known.
type word struct {
	g mapping
	m [][]float64
	c []float64
}

func (w word) after(v word) (word, bool) { // x → v.g(x) → w.g(v.g(x))
	g, ok := v.g.then(w.g)
	if !ok {
		return word{}, false
	}
	n := len(w.c)
	composed := word{g: g, m: make([][]float64, n), c: append([]float64(nil), w.c...)}
	for i := range n {
		composed.m[i] = make([]float64, n)
		for k := range n {
			composed.c[i] += w.m[i][k] * v.c[k]
			for j := range n {
				composed.m[i][j] += w.m[i][k] * v.m[k][j]
			}
		}
	}
	return composed, true
}

// asWord solves the type I laws of one mapping for its outputs; ok is false if
// they do not determine all of them.
func asWord(g mapping, laws []law, outputs int) (word, bool) {
	w := word{g: g}
	if len(laws) < outputs {
		return w, false
	}
	// Gauss-Jordan on the columns of o(2); laws are rows [1 o(1) o(2)].
	var rows [][]float64
	for _, l := range laws {
		if l.degree == 1 {
			rows = append(rows, append([]float64(nil), l.b...))
		}
	}
	order := make([]int, outputs)
	for i := range order {
		order[i] = 1 + outputs + i
	}
	if len(rows) < outputs {
		return w, false
	}
	rows = echelon(rows, order)
	for i := range outputs {
		r := rows[i]
		if r[1+outputs+i] == 0 {
			return w, false
		}
		line := make([]float64, outputs)
		for j := range line {
			line[j] = -r[1+j] / r[1+outputs+i]
		}
		w.m = append(w.m, line)
		w.c = append(w.c, -r[0]/r[1+outputs+i])
	}
	return w, true
}

func (w word) inverse() (word, bool) {
	g, ok := w.g.inverse()
	if !ok {
		return word{}, false
	}
	n := len(w.c)
	a := make([][]float64, n)
	for i := range a {
		a[i] = append([]float64{w.c[i]}, w.m[i]...)
	}
	back, ok := mapping{n: n, degree: 1, a: a}.inverse()
	if !ok {
		return word{}, false
	}
	inv := word{g: g, m: make([][]float64, n), c: make([]float64, n)}
	for i := range n {
		inv.c[i], inv.m[i] = back.a[i][0], back.a[i][1:]
	}
	return inv, true
}

// same reports whether both express the same law.
func (w word) same(v word) bool {
	for i := range w.c {
		if math.Abs(w.c[i]-v.c[i]) > 1e-7*(1+math.Abs(w.c[i])) {
			return false
		}
		for j := range w.m[i] {
			if math.Abs(w.m[i][j]-v.m[i][j]) > 1e-7*(1+math.Abs(w.m[i][j])) {
				return false
			}
		}
	}
	return true
}

// closure is what kept words and their inverses compose to in a few steps. A
// word that only holds in a part of the inputs can lead to several laws of one
// mapping; each is remembered.
type closure struct {
	identity   word
	generators []word
	all        map[string][]word
	size       int
	limit      int
}

func newClosure(in, out int) *closure {
	id := word{g: identity(in), m: make([][]float64, out), c: make([]float64, out)}
	for i := range id.m {
		id.m[i] = make([]float64, out)
		id.m[i][i] = 1
	}
	c := &closure{identity: id, limit: 2000 / in}
	c.compose()
	return c
}

func (c *closure) implies(w word) bool {
	for _, v := range c.all[w.g.key] {
		if v.same(w) {
			return true
		}
	}
	return false
}

func (c *closure) reaches(g mapping) bool { return len(c.all[g.key]) > 0 }

func (c *closure) add(w word) {
	c.generators = append(c.generators, w)
	if inv, ok := w.inverse(); ok && inv.g.key != w.g.key {
		c.generators = append(c.generators, inv)
	}
	c.compose()
}

// note keeps a word, and reports whether it is new and there is room for it.
func (c *closure) note(w word) bool {
	if c.size >= c.limit || c.implies(w) || len(c.all[w.g.key]) >= 4 {
		return false
	}
	c.all[w.g.key] = append(c.all[w.g.key], w)
	c.size++
	return true
}

// compose makes words of up to five steps, short ones first, and powers.
func (c *closure) compose() {
	c.all, c.size = map[string][]word{}, 0
	c.note(c.identity)
	frontier := []word{c.identity}
	for range 5 {
		var next []word
		for _, v := range frontier {
			for _, g := range c.generators {
				composed, ok := g.after(v)
				if ok && composed.g.complexity <= 60 && c.note(composed) {
					next = append(next, composed)
				}
			}
			if c.size >= c.limit {
				break
			}
		}
		frontier = next
	}
	c.limit += 200
	for _, g := range c.generators {
		power, ok := g, true
		for n := 0; n < 12 && ok; n++ {
			c.note(power)
			power, ok = g.after(power)
		}
	}
	c.limit -= 200
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// A linearSystem keeps linear relations between outputs at images of the same x,
// to decide whether another follows: the matrix C of section III-D over all
// input relations at once. Columns are named by mapping and output.
type linearSystem struct {
	pivots []string
	rows   map[string]map[string]float64 // by pivot
}

func newLinearSystem() *linearSystem {
	return &linearSystem{rows: map[string]map[string]float64{}}
}

// lawAt returns the row of a degree-1 law moved to g: B v = 0 at g(x).
func lawAt(l law, g mapping, outputs int) (map[string]float64, bool) {
	row := map[string]float64{}
	for i, b := range l.b {
		if b == 0 {
			continue
		}
		if i == 0 {
			row["1"] += b
			continue
		}
		m, ok := g.then(l.group[(i-1)/outputs])
		if !ok {
			return nil, false
		}
		row[m.key+"#"+strconv.Itoa((i-1)%outputs)] += b
	}
	return row, true
}

// reduce subtracts kept rows and returns what is left relative to the row.
func (s *linearSystem) reduce(row map[string]float64) map[string]float64 {
	size := 0.0
	rest := make(map[string]float64, len(row))
	for k, v := range row {
		rest[k] = v
		size = math.Max(size, math.Abs(v))
	}
	for _, p := range s.pivots {
		f, there := rest[p]
		if !there {
			continue
		}
		for k, v := range s.rows[p] {
			rest[k] -= f * v
		}
		delete(rest, p)
	}
	for k, v := range rest {
		if math.Abs(v) <= 1e-8*size {
			delete(rest, k)
		}
	}
	return rest
}

// add keeps a row, and reports whether it did not follow from the others.
func (s *linearSystem) add(row map[string]float64) bool {
	rest := s.reduce(row)
	if len(rest) == 0 {
		return false
	}
	pivot := ""
	for _, k := range sortedKeys(rest) {
		if k != "1" && (pivot == "" || math.Abs(rest[k]) > math.Abs(rest[pivot])) {
			pivot = k
		}
	}
	if pivot == "" {
		return false // 1 = 0: rounding
	}
	d := rest[pivot]
	for k := range rest {
		rest[k] /= d
	}
	s.rows[pivot] = rest
	s.pivots = append(s.pivots, pivot)
	return true
}

func (s *linearSystem) implies(row map[string]float64) bool { return len(s.reduce(row)) == 0 }
