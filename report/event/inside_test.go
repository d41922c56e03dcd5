package event

import "testing"

func TestInsideReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		base, head string
		want       bool
	}{
		"another type":         {`&Request{Body:&body{N:1 S:"}"} Host:"a"}`, `&Request{Body:&Body{N:1 On:func(int)} Host:"a"}`, true},
		"alone":                {`&wrapper{W:nil}`, `&Wrapper{Inner:T{}}`, true},
		"a pointer on head":    {`&Request{Body:wrapper{W:nil} Host:"a"}`, `&Request{Body:&other{} Host:"a"}`, true},
		"a raw text with one":  {"&wrapper{W:`}\"`}", `&other{}`, true},
		"more differs":         {`&Request{Body:&body{N:1} Host:"a"}`, `&Request{Body:&Body{N:1} Host:"b"}`, false},
		"an exported one":      {`&Request{Body:&Body{N:1}}`, `&Request{Body:&Other{N:1}}`, false},
		"the same type":        {`&Request{Body:&body{N:1}}`, `&Request{Body:&body{N:2}}`, false},
		"nothing in its place": {`&Request{Body:&body{N:1}}`, `&Request{Body:nil}`, false},
		"cut":                  {`&Request{Body:&body{N:1…`, `&Request{Body:&Body{N:1…`, false},
		"a text":               {`"body{}"`, `"Body{}"`, false},
	} {
		f := Finding{Kind: KindValue, Base: Result{Outcome: Pass, Value: test.base}, Head: Result{Outcome: Pass, Value: test.head}}
		if got := f.insideReplaced(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFieldsReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		base, head string
		want       bool
	}{
		"another field":               {`&state{inner:inner{…}}`, `&state{settings:settings{…}}`, true},
		"behind another one":          {`&State{N:1 inner:3}`, `&State{N:1 indent:3}`, true},
		"an exported one":             {`State{Inner:3}`, `State{indent:3}`, false},
		"the value of a field":        {`State{inner:3}`, `State{inner:4}`, false},
		"a key of a map":              {`map["a":1]`, `map["b":1]`, false},
		"a key that is no text":       {`map[a:1]`, `map[b:1]`, false},
		"a field that is one on base": {`State{a:1}`, `State{}`, false},
		"a text":                      {`"{a:1"`, `"{b:1"`, false},
	} {
		f := Finding{Kind: KindValue, Base: Result{Outcome: Pass, Value: test.base}, Head: Result{Outcome: Pass, Value: test.head}}
		if got := f.fieldsReplaced(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSeenByATest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		base, head string
		want       bool
	}{
		"a pointer on head":            {`&Options{Links:Links{All:false} N:1}`, `&Options{Links:&Links{All:false} N:1}`, true},
		"a pointer on base":            {`Options{Links:&Links{}}`, `Options{Links:Links{}}`, true},
		"which holds something else":   {`Options{Links:Links{N:1}}`, `Options{Links:&Links{N:2}}`, false},
		"something else differs, too":  {`Options{Links:Links{} N:1}`, `Options{Links:&Links{} N:2}`, false},
		"the whole value":              {`Links{}`, `&Links{}`, false},
		"an element":                   {`[Links{}]`, `[&Links{}]`, false},
		"an exported field of another": {`&Renderer{Config:Config{N:1}}`, `&Renderer{TableConfig:TableConfig{Config:Config{N:1}}}`, true},
		"the value of an exported one": {`&Renderer{Config:Config{N:1}}`, `&Renderer{Config:Config{N:2}}`, false},
		"a key of a map, no text":      {`map[a:1]`, `map[b:1]`, false},
		"a field that was not there":   {`&Renderer{}`, `&Renderer{N:0}`, false},
	} {
		f := Finding{Rung: Observed, Kind: KindValue, Base: Result{Outcome: Pass, Value: test.base}, Head: Result{Outcome: Pass, Value: test.head}}
		if got := f.Small(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		f.Rung = Reached
		if f.Small() {
			t.Errorf("%s: small where a call shows it", name)
		}
	}
}
