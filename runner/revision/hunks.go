package revision

import (
	"bytes"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxEdits bounds the product of the lines in which two texts may differ; beyond
// it the whole differing part is one hunk. The time of the comparison grows with
// this product.
const maxEdits = 50_000_000

// hunks compares two texts by lines.
func hunks(base, head []byte) []Hunk {
	before, after := lines(base), lines(head)
	first := 0
	for first < len(before) && first < len(after) && bytes.Equal(before[first], after[first]) {
		first++
	}
	last := 0
	for last < len(before)-first && last < len(after)-first &&
		bytes.Equal(before[len(before)-1-last], after[len(after)-1-last]) {
		last++
	}
	before, after = before[first:len(before)-last], after[first:len(after)-last]
	if len(before) == 0 && len(after) == 0 {
		return nil
	}
	whole := []Hunk{{first + 1, len(before), first + 1, len(after)}}
	if len(before) == 0 || len(after) == 0 || len(before)*len(after) > maxEdits {
		return whole
	}
	left, right, ok := letters(before, after)
	if !ok {
		return whole
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the clock must not decide what is found
	return gather(differ.DiffMainRunes(left, right, false), first+1)
}

// gather joins neighbouring deletions and insertions into hunks; line is the
// number, on both sides, of the first line that was compared.
func gather(diffs []diffmatchpatch.Diff, line int) []Hunk {
	var found []Hunk
	base, head := line, line
	open := false
	for _, d := range diffs {
		n := utf8.RuneCountInString(d.Text)
		if n == 0 {
			continue
		}
		if d.Type == diffmatchpatch.DiffEqual {
			base, head, open = base+n, head+n, false
			continue
		}
		if !open {
			found, open = append(found, Hunk{BaseLine: base, HeadLine: head}), true
		}
		h := &found[len(found)-1]
		if d.Type == diffmatchpatch.DiffDelete {
			h.BaseLines, base = h.BaseLines+n, base+n
		} else {
			h.HeadLines, head = h.HeadLines+n, head+n
		}
	}
	return found
}

// lines cuts a text after each line end. A last line without one differs from the
// same line with one, as in git.
func lines(text []byte) [][]byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// letters returns equal lines the same character, so that texts become words. The
// library's own way of doing so breaks beyond some 55,000 different lines, where
// the characters are surrogates, which strings cannot hold; they are left out
// here. False if there are more different lines than characters.
func letters(before, after [][]byte) (left, right []rune, ok bool) {
	const surrogates, afterSurrogates = 0xD800, 0xE000
	next := rune(1)
	known := map[string]rune{}
	word := func(lines [][]byte) []rune {
		w := make([]rune, len(lines))
		for i, line := range lines {
			letter, seen := known[string(line)]
			if !seen {
				letter = next
				known[string(line)] = letter
				if next++; next == surrogates {
					next = afterSurrogates
				}
			}
			w[i] = letter
		}
		return w
	}
	left, right = word(before), word(after)
	return left, right, next <= utf8.MaxRune
}
