package report

import (
	"strconv"
	"strings"
)

// howOften takes two values apart that differ only in how often they were seen,
// as in "3 (seen once)" and "3 (seen 2 times)". It gives "" for any others.
func howOften(base, head string) (value, onBase, onHead string) {
	v, n := cutTimes(base)
	w, m := cutTimes(head)
	if n == "" || m == "" || v != w {
		return "", "", ""
	}
	return v, n, m
}

func cutTimes(s string) (value, times string) {
	i := strings.LastIndex(s, " (seen ")
	if i < 0 || !strings.HasSuffix(s, ")") {
		return "", ""
	}
	value, times = s[:i], s[i+len(" (seen "):len(s)-1]
	if times == "once" {
		return value, times
	}
	digits, ok := strings.CutSuffix(times, " times")
	if n, err := strconv.Atoi(digits); !ok || err != nil || n < 2 || strconv.Itoa(n) != digits {
		return "", ""
	}
	return value, times
}
