package event

import "testing"

func TestSmall(t *testing.T) {
	t.Parallel()
	pass := func(value string) Result { return Result{Outcome: Pass, Value: value} }
	fail := Result{Outcome: Fail, Value: "2"}
	part := []PartDiffers{{Path: "result.n", Base: "1", Head: "2"}}
	for name, test := range map[string]struct {
		f    Finding
		want bool
	}{
		"a value":                        {Finding{Rung: Reached, Kind: KindValue, Base: pass("1"), Head: pass("2")}, false},
		"the text that an error has":     {Finding{Rung: Reached, Kind: KindValue, Function: "(*m.NotFound).Error", Component: "result", Base: pass(`"a"`), Head: pass(`"b"`)}, true},
		"what else is called Error":      {Finding{Rung: Reached, Kind: KindValue, Function: "(*m.Log).Error", Component: "result", Base: pass("1"), Head: pass("2")}, false},
		"another text of an error":       {Finding{Rung: Reached, Kind: KindErrorText, Base: pass("a"), Head: pass("b")}, true},
		"nil against empty":              {Finding{Rung: Observed, Kind: KindNilEmpty, Base: pass("nil"), Head: pass("[]")}, true},
		"empty, of another type":         {Finding{Rung: Reached, Kind: KindValue, Base: pass("{[]}"), Head: pass("{nil}"), Differs: []PartDiffers{{Path: "len(result.a)", Base: "0"}, {Path: "result.a", Head: "nil"}}}, true},
		"a part that goes":               {Finding{Rung: Reached, Kind: KindValue, Base: pass("{[1]}"), Head: pass("{nil}"), Differs: []PartDiffers{{Path: "len(result.a)", Base: "1"}, {Path: "result.a", Head: "nil"}}}, false},
		"nothing of it can be shown":     {Finding{Rung: Observed, Kind: KindValue, Base: pass(""), Head: pass("")}, true},
		"a part of it is known":          {Finding{Rung: Observed, Kind: KindValue, Base: pass(""), Head: pass(""), Differs: []PartDiffers{{Path: "result.a"}}}, false},
		"a dump of pointers":             {Finding{Rung: Reached, Kind: KindValue, Base: pass(`p.T("f(&{<nil> {} 0xADDRESS {<nil>}})")`), Head: pass(`p.T("f(&{<nil> {} 0xADDRESS {0xADDRESS 0}})")`)}, true},
		"a dump of pointers on head":     {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"{1}"`), Head: pass(`"{0xADDRESS}"`)}, false},
		"one that fails a test":          {Finding{Rung: Observed, Kind: KindNilEmpty, Base: pass("nil"), Head: fail}, false},
		"the same text":                  {Finding{Rung: Reached, Kind: KindValue, Base: pass("{1}"), Head: pass("{1}")}, true},
		"the same text, a known part":    {Finding{Rung: Reached, Kind: KindValue, Base: pass("{1}"), Head: pass("{1}"), Differs: part}, false},
		"seen more often":                {Finding{Rung: Observed, Kind: KindValue, Base: pass("1 (seen once)"), Head: pass("1 (seen 3 times)")}, true},
		"seen more often, another one":   {Finding{Rung: Observed, Kind: KindValue, Base: pass("1 (seen once)"), Head: pass("2 (seen 3 times)")}, false},
		"last digits":                    {Finding{Rung: Observed, Kind: KindValue, Base: pass("[7.3 1.5], nil"), Head: pass("[7.299999999999999 1.5], nil")}, true},
		"other digits":                   {Finding{Rung: Observed, Kind: KindValue, Base: pass("[7.3 1.5]"), Head: pass("[7.2 1.5]")}, false},
		"a sign":                         {Finding{Rung: Observed, Kind: KindValue, Base: pass("0.1"), Head: pass("-0.1")}, false},
		"large whole numbers":            {Finding{Rung: Observed, Kind: KindValue, Base: pass("100000000000"), Head: pass("100000000001")}, false},
		"another number of them":         {Finding{Rung: Observed, Kind: KindValue, Base: pass("[1.5]"), Head: pass("[1.5 1.5]")}, false},
		"a version":                      {Finding{Rung: Observed, Kind: KindValue, Base: pass("1.2.3"), Head: pass("1.2.4")}, false},
		"a value told of in another way": {Finding{Rung: Reached, Kind: KindValue, Base: pass("One"), Head: pass("1"), Printed: true}, true},
		"a forced state that head mends": {Finding{Rung: Forced, Kind: KindValue, Base: Result{Outcome: Fail}, Head: pass("1")}, true},
		"a forced error that goes away":  {Finding{Rung: Forced, Kind: KindErrorToValue, Base: pass("err"), Head: pass("nil")}, true},
		"what a server is asked for":     {Finding{Rung: Reached, Kind: KindErrorText, Base: pass(`error("send: Post \"https://a/b/c?d=1\": unsupported")`), Head: pass(`error("send: Post \"https://a/b/UNKNOWN/c?d=1\": unsupported")`)}, false},
		"what another server is asked":   {Finding{Rung: Reached, Kind: KindErrorText, Base: pass(`error("Get \"http://127.0.0.1:4711/b\": refused")`), Head: pass(`error("Get \"http://127.0.0.1:4712/b\": reset")`)}, true},
		"where the code stands":          {Finding{Rung: Reached, Kind: KindValue, Input: `Log("a")`, Base: pass(`"app.go:472 a b.go:1"`), Head: pass(`"app.go:469 a b.go:1"`)}, true},
		"where what is given stands":     {Finding{Rung: Reached, Kind: KindValue, Input: `Check("app.go")`, Base: pass(`"app.go:472 a"`), Head: pass(`"app.go:469 a"`)}, false},
		"where what a test gets stands":  {Finding{Rung: Observed, Kind: KindValue, Base: pass(`"app.go:472 a"`), Head: pass(`"app.go:469 a"`)}, false},
		"more than where it stands":      {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"app.go:472 a"`), Head: pass(`"app.go:469 b"`)}, false},
		"a forced state nobody comes to": {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Fate: &Fate{State: GoalNotFound, Tried: soughtInVain}}, true},
		"a forced check of an error":     {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Negations: []Negation{{Text: "err != nil"}, {Text: "!ok"}}}, true},
		"a forced check of two places":   {Finding{Rung: Forced, Kind: KindPanic, Base: pass("1"), Head: Result{Outcome: Panic}, Negations: []Negation{{Text: "l.trace", Elsewhere: true}}}, true},
		"a forced check of one of them":  {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Negations: []Negation{{Text: "err != nil"}, {Text: "n > 1"}}}, false},
		"a forced check that calls take": {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Negations: []Negation{{Text: "os.IsNotExist(err)"}}, Fate: &Fate{State: GoalTaken, Calls: 1}}, false},
		"a forced state, hardly sought":  {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Fate: &Fate{State: GoalNotFound, Tried: soughtInVain - 1}}, false},
		"compares other things": {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["0 0" "0 0"]`), Head: pass(`["0 1"]`),
			Input: "var called []string\ns := Of(func(n int, n2 int) int { called = append(called, fmt.Sprint(n, n2)); return 0 })\ncalled"}, true},
		"is called with other things": {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["0 0" "0 0"]`), Head: pass(`["0 1"]`),
			Input: "var called []string\ns := Of(func(n int, s string) int { called = append(called, fmt.Sprint(n, s)); return 0 })\ncalled"}, false},
		"no order": {Finding{Rung: Reached, Kind: KindValue, Base: pass("true"), Head: pass("false"),
			Input: "s := Of(func(s string, s2 string) int {\nswitch {\ncase s == \"a\" && s2 == \"a\":\nreturn 1\n}\nreturn 2\n})\ns.Has(1)"}, true},
		"no order, nothing named": {Finding{Rung: Reached, Kind: KindValue, Base: pass("true"), Head: pass("false"),
			Input: "s := Of(func(string, string) int { return 2 })\ns.Has(1)"}, true},
		"an order": {Finding{Rung: Reached, Kind: KindValue, Base: pass("true"), Head: pass("false"),
			Input: "s := Of(func(n int, n2 int) int { return 0 })\ns.Has(1)"}, false},
		"called more often":               {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["called" "called"]`), Head: pass(`["called" "called" "called"]`)}, true},
		"called twice":                    {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["called"]`), Head: pass(`["called" "called"]`)}, false},
		"called with another thing":       {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["called" "0"]`), Head: pass(`["called" "0" "1"]`)}, false},
		"a forced state that many take":   {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Fate: &Fate{State: GoalTaken, Calls: takenInVain}}, true},
		"a forced state that calls take":  {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: pass("2"), Fate: &Fate{State: GoalTaken, Calls: 1}}, false},
		"a forced state that head fails":  {Finding{Rung: Forced, Kind: KindValue, Base: pass("1"), Head: Result{Outcome: Fail}}, false},
		"a forced panic of both":          {Finding{Rung: Forced, Kind: KindErrorText, Base: Result{Outcome: Panic, Message: "a"}, Head: Result{Outcome: Panic, Message: "b"}}, true},
		"a forced panic, then a failure":  {Finding{Rung: Forced, Kind: KindValue, Base: Result{Outcome: Panic}, Head: fail}, true},
		"random values":                   {Finding{Rung: Reached, Kind: KindValue, Base: pass("1"), Head: pass("2"), Random: true}, true},
		"random values, and a test":       {Finding{Rung: Reached, Kind: KindValue, Base: pass("1"), Head: pass("2"), Random: true, GoTest: "package p"}, false},
		"random texts":                    {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["a1"]`), Head: pass(`["b2"]`), Random: true}, true},
		"a random text that is lost":      {Finding{Rung: Reached, Kind: KindValue, Base: pass(`["a1"]`), Head: pass(`[""]`), Random: true}, false},
		"a zero field that base lacks":    {Finding{Rung: Reached, Kind: KindValue, Base: pass("h"), Head: pass("h"), Differs: []PartDiffers{{Path: "result.space", Head: `""`}}}, true},
		"a field that base lacks":         {Finding{Rung: Reached, Kind: KindValue, Base: pass("h"), Head: pass("h"), Differs: []PartDiffers{{Path: "result.space", Head: `" "`}}}, false},
		"of nothing that changed":         {Finding{Rung: Observed, Kind: KindValue, Base: pass("1"), Head: pass("2"), Unrelated: true}, true},
		"an empty field more":             {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"│ %!(EXTRA T={ false <nil> [] map[]})   \n"`), Head: pass(`"│ %!(EXTRA T={ false <nil> [] [] map[]}) \n"`)}, true},
		"an empty text more":              {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"&{ <nil> [] 0}\n"`), Head: pass(`"&{  <nil> [] 0}\n"`)}, true},
		"an empty field more, by %a":      {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"{%!a(bool=false) %!a(string=) []}"`), Head: pass(`"{%!a(bool=false) %!a(string=) %!a(string=) []}"`)}, true},
		"a field with something in it":    {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"{ false <nil> []}"`), Head: pass(`"{ false <nil> 1 []}"`)}, false},
		"a word less outside of a struct": {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"is false 0 today"`), Head: pass(`"is false today"`)}, false},
		"a document with a null more":     {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"{\"a\": 0}"`), Head: pass(`"{\"a\": 0, \"b\": 0}"`)}, false},
		"an argument that nobody gives":   {Finding{Rung: Reached, Kind: KindPanic, Base: pass("1"), Head: Result{Outcome: Panic}, Misuse: NilArgument}, true},
		"refused by both":                 {Finding{Rung: Reached, Kind: KindErrorToValue, Base: Result{Outcome: Panic, Message: "no pointer"}, Head: pass(`error("no pointer")`)}, true},
		"a call not to be written":        {Finding{Rung: Reached, Origin: OriginSequence, Program: "01", Kind: KindValue, Base: pass("1"), Head: pass("2")}, true},
		"one in which head fails":         {Finding{Rung: Reached, Origin: OriginSequence, Program: "01", Kind: KindValueToError, Base: pass("1"), Head: pass("2")}, false},
		"a panic of the run time mended":  {Finding{Rung: Reached, Kind: KindErrorToValue, Base: Result{Outcome: Panic, Message: "runtime error: index out of range"}, Head: pass(`error("no index")`)}, true},
		"a crash of a goroutine mended":   {Finding{Rung: Reached, Kind: KindPanic, Base: Result{Outcome: Died, Message: "panic: runtime error: invalid memory address"}, Head: pass("1")}, true},
		"a deadlock that goes away":       {Finding{Rung: Reached, Kind: KindPanic, Base: Result{Outcome: Died, Message: "fatal error: all goroutines are asleep"}, Head: pass("1")}, false},
		"a crash that becomes a value":    {Finding{Rung: Reached, Kind: KindErrorToValue, Base: Result{Outcome: Panic, Message: "reflect: call of reflect.Value.Elem on struct Value"}, Head: pass("1")}, true},
		"a crash that becomes a panic":    {Finding{Rung: Reached, Kind: KindPanic, Base: Result{Outcome: Panic, Message: "runtime error: index out of range"}, Head: Result{Outcome: Panic, Message: "no index"}}, false},
		"a panic that becomes a value":    {Finding{Rung: Reached, Kind: KindErrorToValue, Base: Result{Outcome: Panic, Message: "no pointer"}, Head: pass("1")}, false},
		"a moment that no calendar has":   {Finding{Rung: Reached, Kind: KindValue, Input: "s.Next(time.Unix(9223372036854775807, 0).UTC())", Base: pass("1"), Head: pass("2")}, true},
		"a moment of the last century":    {Finding{Rung: Reached, Kind: KindValue, Input: "s.Next(time.Unix(-86400, 0).UTC())", Base: pass("1"), Head: pass("2")}, false},
		"places beside addresses":         {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"&{0xADDRESS 112404 a}"`), Head: pass(`"&{0xADDRESS 112420 a}"`)}, true},
		"another word beside addresses":   {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"&{0xADDRESS 112404 a}"`), Head: pass(`"&{0xADDRESS 112420 b}"`)}, false},
		"blanks in what a method tells":   {Finding{Rung: Reached, Kind: KindValue, Base: pass(`[*dto.Metric("a:{} b:{}")]`), Head: pass(`[*dto.Metric("a:{}  b:{}")]`)}, true},
		"blanks in a text":                {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"a b"`), Head: pass(`"a  b"`)}, false},
		"blanks in what was written":      {Finding{Rung: Reached, Kind: KindValue, Base: pass(`*bytes.Buffer("a b")`), Head: pass(`*bytes.Buffer("a  b")`)}, false},
		"a forced state of nothing":       {Finding{Rung: Forced, Kind: KindValue, Base: fail, Head: Result{Outcome: Fail, Value: "2"}, Unrelated: true}, true},
		"the insides of its type":         {Finding{Rung: Reached, Kind: KindValue, Package: "example.com/times", Base: pass(`"15"`), Head: pass(`"&times.hour{pad:0x30}"`)}, true},
		"the insides of it in a buffer":   {Finding{Rung: Reached, Kind: KindValue, Package: "example.com/times/v2", Base: pass(`*bytes.Buffer("15")`), Head: pass(`*bytes.Buffer("&times.hour{pad:0x30}")`)}, true},
		"the insides of an exported one":  {Finding{Rung: Reached, Kind: KindValue, Package: "example.com/times", Base: pass(`"15"`), Head: pass(`"&times.Hour{Pad:0x30}"`)}, false},
		"a text that only looks so":       {Finding{Rung: Reached, Kind: KindValue, Package: "example.com/times", Base: pass(`"15"`), Head: pass(`"div.hour{}"`)}, false},
		"seen more often where both fail": {Finding{Rung: Forced, Kind: KindValue, Base: Result{Outcome: Fail, Value: "nil (seen 15 times)", Message: "a"}, Head: Result{Outcome: Fail, Value: "nil (seen 14 times)", Message: "b"}}, true},
		"another value where both fail":   {Finding{Rung: Forced, Kind: KindValue, Base: Result{Outcome: Fail, Value: "1 (seen once)", Message: "a"}, Head: Result{Outcome: Fail, Value: "2 (seen once)", Message: "b"}}, false},
		"a length that a test sees":       {Finding{Rung: Observed, Kind: KindValue, Base: Result{Outcome: Pass, Value: "82", Site: "fake.buffer.Len()"}, Head: pass("76")}, true},
		"a number that a test sees":       {Finding{Rung: Observed, Kind: KindValue, Base: Result{Outcome: Pass, Value: "82", Site: "Sum(list)"}, Head: pass("76")}, false},
		"the network does not answer":     {Finding{Rung: Observed, Kind: KindValue, Base: fail, Head: Result{Outcome: Fail, Value: "1", Message: `Get "https://a.example/": dial tcp: lookup a.example on 10.0.0.1:53: dial udp 10.0.0.1:53: connect: network is unreachable`}}, true},
		"a test that ends base":           {Finding{Rung: Observed, Kind: KindPanic, Base: Result{Outcome: Died, Message: "panic: no such field"}, Head: fail}, true},
		"a test that ends head":           {Finding{Rung: Observed, Kind: KindPanic, Base: fail, Head: Result{Outcome: Died, Message: "panic: no such field"}}, false},
		"another failure of a test":       {Finding{Rung: Observed, Kind: KindValue, Base: fail, Head: Result{Outcome: Fail, Value: "1", Message: "want 2"}}, false},
		"lines of a changed function":     {Finding{Rung: Reached, Kind: KindValue, Input: "err.Trace()", Changed: []string{"(*Err).SetLocation"}, Base: pass(`["p.(*Err).SetLocation:164: "]`), Head: pass(`["p.(*Err).SetLocation:199: "]`)}, true},
		"a port":                          {Finding{Rung: Reached, Kind: KindValue, Input: "cfg.Addr()", Changed: []string{"(*Config).Addr"}, Base: pass(`"example.com:164"`), Head: pass(`"example.com:199"`)}, false},
		"who calls":                       {Finding{Rung: Reached, Kind: KindValue, Base: pass(`"[{}]"`), Head: pass(`"[{reflect.Value.call:586: }]"`)}, true},
		"its own source":                  {Finding{Rung: Reached, Kind: KindErrorToValue, Origin: OriginInPlace, Input: "Args(12)", Base: pass(`error("no expression on line 125 in /head/assert.go")`), Head: pass("nil")}, true},
		"the source that it is given":     {Finding{Rung: Reached, Kind: KindErrorToValue, Origin: OriginInPlace, Input: `Args("assert.go")`, Base: pass(`error("no expression on line 125 in assert.go")`), Head: pass("nil")}, false},
		"insides that a test sees":        {Finding{Rung: Observed, Kind: KindValue, Package: "example.com/times", Base: Result{Outcome: Pass, Value: `"&times.hour{pad:0x30}"`, Site: "msg"}, Head: pass(`"&times.minute{}"`)}, true},
		"nil beside an error":             {Finding{Rung: Reached, Kind: KindValue, BesideError: true, Base: pass("nil"), Head: pass("&Tree{}")}, true},
		"a list that is nil":              {Finding{Rung: Reached, Kind: KindValue, Base: pass("ast.Array(nil)"), Head: pass(`ast.Array("Array(len=0)")`), Differs: []PartDiffers{{Path: "len(result)", Head: "0"}}}, true},
		"a list that is longer":           {Finding{Rung: Reached, Kind: KindValue, Base: pass("ast.Array(nil)"), Head: pass(`ast.Array("Array(len=1)")`), Differs: []PartDiffers{{Path: "len(result)", Head: "1"}}}, false},
		"a dependency by itself":          {Finding{Rung: Reached, Kind: KindValue, Foreign: true, Base: pass("1"), Head: pass("2")}, true},
		"an argument beside an error":     {Finding{Rung: Reached, Kind: KindValue, BesideError: true, Component: "argument 2", Base: pass("1"), Head: pass("2")}, true},
		"a value beside an error":         {Finding{Rung: Reached, Kind: KindValue, BesideError: true, Base: pass("1"), Head: pass("2")}, false},
		"a type shown by a method":        {Finding{Rung: Observed, Kind: KindValue, Base: pass(`&Config{Env:nature.Nature("a") B:1}`), Head: pass(`&Config{Env:Nature{Type:nil} B:2}`)}, true},
		"an inside shown by a method":     {Finding{Rung: Observed, Kind: KindValue, Base: pass(`*blob.ociConfig("a")`), Head: pass(`&Config{A:1}`)}, true},
		"a text without its type":         {Finding{Rung: Reached, Kind: KindValue, Base: pass(`file.Source("a\"")`), Head: pass(`"a\""`)}, true},
		"another text without its type":   {Finding{Rung: Reached, Kind: KindValue, Base: pass(`file.Source("a")`), Head: pass(`"b"`)}, false},
		"another type shown by a method":  {Finding{Rung: Observed, Kind: KindValue, Base: pass(`&Config{Env:nature.Nature("a")}`), Head: pass(`&Config{Env:Type{}}`)}, false},
		"an error after an error":         {Finding{Rung: Reached, Kind: KindValueToError, AfterError: true, Base: pass("nil"), Head: pass(`error("EOF")`)}, true},
		"a panic after an error":          {Finding{Rung: Reached, Kind: KindPanic, AfterError: true, Base: pass("nil"), Head: Result{Outcome: Panic}}, false},
		"a panic":                         {Finding{Rung: Reached, Kind: KindPanic, Base: pass("1"), Head: Result{Outcome: Panic, Value: "1"}}, false},
	} {
		if got := test.f.Small(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What the network says of itself is no behaviour: a test of it holds nowhere else.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		`error("no zone: dial udp 10.0.0.53:53: connect: network is unreachable")`: true,
		`error("dial tcp: lookup example.com: no such host")`:                      true,
		`error("rename aE a_e.proto: read-only file system")`:                      true,
		`error("dial tone")`: false,
		"nil":                false,
	} {
		if got := (Finding{Base: Result{Value: "nil"}, Head: Result{Value: value}}).Unreachable(); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
