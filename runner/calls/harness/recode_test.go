package harness

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// What recodes is mostly given documents of its type, shows what becomes of them, and is nothing to be given or called back.
func TestRecode(t *testing.T) {
	type event struct {
		Name string   `json:"name,omitempty"`
		List []string `json:"list"`
	}
	before := registry
	defer func() { registry = before }()
	registry = newRegistry()
	Recode(Operation{Name: Recoded + "Event", Exported: true, Hook: -1}, (*event)(nil), json.Unmarshal, json.Marshal)
	r := registry
	op := r.end() - 1
	call := func(text string) (string, bool) {
		out := r.Ops[op].Fn.Call([]reflect.Value{reflect.ValueOf(text)})
		return out[0].String(), out[1].IsNil()
	}
	if text, ok := call(`{"name": "", "list": ["a"]}`); text != `{"list":["a"]}` || !ok {
		t.Errorf("%s, %t", text, ok)
	}
	if _, ok := call(`{"list": 1}`); ok {
		t.Error("a number is a list")
	}
	g := newGenerator(NewMachine(r), NewPlain(), 1)
	fits, named := 0, 0
	for range 300 {
		text := g.builder(nil).text(spot{op, 0})
		if _, ok := call(text); ok {
			fits++
		}
		if strings.Contains(text, `"name"`) {
			named++
		}
	}
	if fits < 150 || named < 50 {
		t.Errorf("of 300 texts %d fit, and %d have a name", fits, named)
	}
	if callsBack(&r.Ops[op]) || givenAs(&r.Ops[op], r.Ops[op].Fn.Type()) {
		t.Error("it is called back")
	}
}
