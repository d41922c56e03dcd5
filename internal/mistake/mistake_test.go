package mistake

import (
	"errors"
	"fmt"
	"testing"
)

func TestList(t *testing.T) {
	t.Parallel()
	var l List
	if err := l.Err(); err != nil {
		t.Errorf("no mistake is an error: %v", err)
	}
	l.Add("x.yml", 7, 3, "c")
	l.Add("x.yml", 2, 0, "b")
	l.Add("x.yml", 0, 0, "a")
	l.Add("x.yml", 7, 1, "d")
	l.Add("x.yml", 7, 3, "e")
	err := fmt.Errorf("settings: %w", l.Err())
	if want := "settings: x.yml: a\nx.yml:2: b\nx.yml:7:1: d\nx.yml:7:3: c\nx.yml:7:3: e"; err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var all List
	var first *Mistake
	if !errors.As(err, &all) || len(all) != 5 || !errors.As(err, &first) || first.Msg != "a" {
		t.Errorf("what wraps mistakes does not show them: %v, %v", all, first)
	}
}
