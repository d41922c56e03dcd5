//go:build go1.21

package harness

// Rand is splitmix64: small, seeded, the same on every Go version.
type Rand struct{ state uint64 }

// NewRand seeds a generator.
func NewRand(seed uint64) *Rand { return &Rand{seed} }

// Uint64 draws a number.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Intn is in [0, n); 0 where n is not positive.
func (r *Rand) Intn(n int) int {
	if n <= 0 {
		return 0
	}
	return int(r.Uint64() % uint64(n))
}

// Chance reports whether a drawn number falls within so many percent.
func (r *Rand) Chance(percent int) bool { return r.Intn(100) < percent }

// few is a small number, smaller ones more often: 0 … most.
func (r *Rand) few(most int) int {
	n := 0
	for n < most && r.Chance(55) {
		n++
	}
	return n
}
