package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/bot/trust"
)

// TestTrustedRules: a job that may write judges by base's file, and finds out by
// itself what head changes of it.
func TestTrustedRules(t *testing.T) {
	t.Parallel()
	const id = "00112233445566778899aabbccddeeff"
	file := func(text string) trust.File { return trust.File{Name: ".isodelta.yml", Text: []byte(text)} }
	for _, test := range []struct {
		name       string
		base, head trust.File
		failOn     []string
		want       string // what counts, and what is said
	}{
		{"the same", file("fail-on: observed\n"), file("fail-on: observed\n"), nil, "[observed] 0 0 0"},
		{"laxer", file("fail-on: observed\n"), file("policy: [{packages: ./..., fail-on: []}]\n"), nil, "[observed] 1 0 0 fail-on base policy both"},
		{"stricter", file(""), file("fail-on: reached\n"), nil, "[reached] 0 0 0 fail-on head"},
		{"gone", file("fail-on: observed\n"), trust.File{}, nil, "[observed] 0 0 0 file base fail-on base"},
		{"none, and none", trust.File{}, trust.File{}, nil, "[] 0 0 0"},
		{"head's is broken", file("fail-on: observed\n"), file("nonsense: SECRET\n"), nil, "[observed] 0 0 0 file base"},
		{"the workflow's own", file("fail-on: observed\n"), file("fail-on: []\n"), []string{"forced"}, "[observed] 0 0 0 fail-on input"},
		{"accepted on base", file("accept: [{id: '" + id + "', reason: r}]\n"), file("accept: [{id: '" + id + "', reason: r}]\n"), nil, "[] 0 1 0"},
		{"accepted on head", file(""), file("accept: [{id: '" + id + "', reason: r, by: ann}]\n"), nil, "[] 0 0 1 accept base"},
	} {
		r, err := trustedRules(test.base, test.head, test.failOn)
		got := fmt.Sprint(r.Policy.FailOn, len(r.Policy.Rules), len(r.Accept), len(r.Proposed))
		for _, c := range r.Changes {
			got += " " + c.Key + " " + c.Counts
			if strings.Contains(c.Base+c.Head, "SECRET") {
				t.Errorf("%s: %+v", test.name, c)
			}
		}
		if got != test.want || err != nil {
			t.Errorf("%s: %s, want %s; %v", test.name, got, test.want, err)
		}
	}
	if _, err := trustedRules(file("nonsense: 1\n"), file(""), nil); err == nil {
		t.Error("base's file cannot be read, and that is nothing")
	}
}
