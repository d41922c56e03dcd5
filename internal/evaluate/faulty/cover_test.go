package faulty

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInstrument(t *testing.T) {
	t.Parallel()
	const src = `package subjects

func f(a, b int) int {
	n := 0
	if a > 0 && !(b > 0) || a == b {
		n = 1
	} else if a < b {
		n = 2
	}
	switch a {
	case 1, 2:
		n++
	}
	switch {
	case b > 3:
		n--
	default:
		for n < 9 { n += 3 }
	}
	return n
}
`
	const want = `package subjects

func f(a, b int) int {
	isodeltaRan(5); n := 0
	isodeltaRan(6); if isodeltaTook(10, a > 0) && !(isodeltaTook(12, b > 0)) || isodeltaTook(14, a == b) {
		isodeltaRan(10); n = 1
	} else if isodeltaTook(16, a < b) {
		isodeltaRan(11); n = 2
	}
	isodeltaRan(7); switch a {
	case 1, 2: isodeltaArm(18); 
		isodeltaRan(12); n++
	default: isodeltaArm(19)
}
	isodeltaRan(8); switch {
	case isodeltaTook(20, b > 3):
		isodeltaRan(13); n--
	default:
		isodeltaRan(14); for isodeltaTook(22, n < 9) { isodeltaRan(15); n += 3 }
	}
	isodeltaRan(9); return n
}
`
	x := instrumenter{statements: 5, branches: 10} // of files before
	got, c, err := x.instrument("subjects/f.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c != (Counts{[2]int{5, 16}, [2]int{10, 24}}) {
		t.Errorf("%+v", c)
	}
	if _, _, err := x.instrument("subjects/f.go", []byte("package")); err == nil {
		t.Error("a file that does not parse is instrumented")
	}
}
