package event

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Ranges is a set of branches as its sorted ranges, "3-5,9". The numbers are
// those of the head version's conditions in one package, which are the same in
// every shard because every shard instruments the same source; between
// different versions they mean nothing.
//
// It is a text and no list of names or bits: names would make most of a shard's
// stream, bits nobody can read, and covered branches come in runs.
type Ranges string

// RangesOf makes the set of the given numbers, in any order, repeated or not.
// Negative numbers are left out.
func RangesOf(numbers []int) Ranges {
	var spans []span
	for _, n := range numbers {
		if n >= 0 {
			spans = append(spans, span{n, n})
		}
	}
	return join(spans)
}

// Len is the number of members; 0 where r is not well formed.
func (r Ranges) Len() int {
	spans, _ := r.spans()
	n := 0
	for _, s := range spans {
		n += s.last - s.first + 1
	}
	return n
}

// Union holds the members of both sets. Sets that are not well formed count as
// empty; Validate finds them.
func (r Ranges) Union(other Ranges) Ranges {
	a, _ := r.spans()
	b, _ := other.spans()
	return join(append(a, b...))
}

// maxBranch bounds a number, so that lengths cannot overflow.
const maxBranch = 1 << 30

type span struct{ first, last int }

func (r Ranges) spans() ([]span, error) {
	if r == "" {
		return nil, nil
	}
	var spans []span
	next := 0
	for part := range strings.SplitSeq(string(r), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		s := span{number(from), number(to)}
		if s.first < next || s.last < s.first || s.last > maxBranch || isRange && s.first == s.last {
			return nil, fmt.Errorf("%s is no sorted list of ranges such as 3-5,9", quote(string(r)))
		}
		next = s.last + 2 // neighbours would have been joined
		spans = append(spans, s)
	}
	return spans, nil
}

// number is -1 for anything but plain digits.
func number(s string) int {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != s {
		return -1
	}
	return int(n)
}

func join(spans []span) Ranges {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	var joined []span
	for _, s := range spans {
		if n := len(joined); n > 0 && s.first <= joined[n-1].last+1 {
			joined[n-1].last = max(joined[n-1].last, s.last)
			continue
		}
		joined = append(joined, s)
	}
	texts := make([]string, len(joined))
	for i, s := range joined {
		texts[i] = strconv.Itoa(s.first)
		if s.last > s.first {
			texts[i] += "-" + strconv.Itoa(s.last)
		}
	}
	return Ranges(strings.Join(texts, ","))
}
