package harness

import (
	"encoding/json"
	"testing"
)

// A list is changed by whole entries: documents stay documents, and lose members, or gain those of others.
func TestEntries(t *testing.T) {
	t.Parallel()
	p := NewPlain()
	others := tokenize(`{"e":[5,6],"f":"g,h"}`)
	const text = `{"a":1,"b":{"c":[1,2,3],"d":"x"}}`
	r := NewRand(1)
	met := map[string]int{}
	whole := 0
	for range 4000 {
		s := p.entries(r, tokenize(text), others)
		met[s]++
		if json.Valid([]byte(s)) {
			whole++
		}
	}
	for _, want := range []string{
		`{"a":1}`,
		`{"b":{"c":[1,2,3],"d":"x"}}`,
		`{"a":1,"b":{"c":[1,3],"d":"x"}}`,
		`{"b":{"c":[1,2,3],"d":"x"},"a":1}`,
		`{"a":1,"b":{"c":[1,2,3],"d":""}}`,
		`{"a":1,"e":[5,6],"b":{"c":[1,2,3],"d":"x"}}`,
	} {
		if met[want] == 0 {
			t.Errorf("never %s", want)
		}
	}
	if whole < 1500 {
		t.Errorf("%d of 4000 are documents", whole)
	}
	for _, text := range []string{"", "a", "()", "a b", ",", "((", `"`} {
		if tokens := tokenize(text); len(tokens) > 0 {
			for range 200 {
				p.entries(r, tokens, nil)
			}
		}
	}
}
