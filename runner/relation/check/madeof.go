package check

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// madeOf returns a value of a kind that has something to do with another value: a part of a
// text or list, a number beside it or twice as large, a place in it. It is nil where nothing
// fits.
func madeOf(kind law.Kind, other any, random *rand.Rand) any {
	switch other := other.(type) {
	case int64:
		switch kind {
		case law.Int:
			return besideInt(other, random)
		case law.Float:
			return float64(besideInt(other, random))
		}
	case float64:
		if kind == law.Float {
			return []float64{other, other + 1, other - 1, 2 * other, other / 2, 0 - other}[random.IntN(6)]
		}
	case string:
		runes := []rune(other)
		switch kind {
		case law.Text:
			return string(partOf(runes, random))
		case law.Int:
			return int64(random.IntN(len(runes) + 1))
		}
	case []int64:
		return madeOfList(kind, law.Int, other, random)
	case []float64:
		return madeOfList(kind, law.Float, other, random)
	case []string:
		return madeOfList(kind, law.Text, other, random)
	}
	return nil
}

func besideInt(x int64, random *rand.Rand) int64 {
	return []int64{x, x + 1, x - 1, 2 * x, x / 2, -x}[random.IntN(6)]
}

func madeOfList[T any](kind, elem law.Kind, list []T, random *rand.Rand) any {
	switch {
	case kind == elem && len(list) > 0:
		return list[random.IntN(len(list))]
	case kind.Elem() == elem:
		return partOf(list, random)
	case kind == law.Int:
		return int64(random.IntN(len(list) + 1))
	}
	return nil
}

// partOf is one element of a list in half of the cases, else any part of it.
func partOf[T any](list []T, random *rand.Rand) []T {
	if len(list) == 0 {
		return []T{}
	}
	at := random.IntN(len(list))
	n := 1
	if random.IntN(2) == 0 {
		n = random.IntN(len(list) - at + 1)
	}
	return slices.Clone(list[at : at+n])
}
