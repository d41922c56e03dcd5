package check

import (
	"path"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// relatedCalls puts the calls of a group into words.
func relatedCalls(r relation.Relation, x calls.Counterexample) []event.RelatedCall {
	var out []event.RelatedCall
	for i := range max(len(x.Calls[0]), len(x.Calls[1])) {
		var call event.RelatedCall
		for v := range x.Calls {
			shows := "not called"
			if i < len(x.Calls[v]) {
				k := x.Calls[v][i]
				if k.Ending != "" {
					shows = k.Ending
				} else {
					shows = strings.Join(k.Results, ", ")
					if call.Call == "" {
						call.Call = callText(r, i, k.Args)
					}
				}
			}
			if v == 0 {
				call.Base = shows
			} else {
				call.Head = shows
			}
		}
		if call.Call == "" {
			call.Call = callText(r, i, nil)
		}
		if i == 0 && x.NoCode == "" && 0 < x.Code.Setup && x.Code.Setup <= len(x.Code.Lines) && x.Code.Call != "" {
			call.Call = statements(r.Package, x.Code)
		}
		if i < len(x.Calls[0]) && i < len(x.Calls[1]) {
			call.Differs = partsThatDiffer(valueNames(r, i), x.Calls[0][i].Leaves, x.Calls[1][i].Leaves)
		}
		out = append(out, call)
	}
	return out
}

func callText(r relation.Relation, i int, args []string) string {
	name := path.Base(r.Function)
	if i < len(r.Form.Calls) {
		name = r.Form.Calls[i].Function
	}
	if args == nil {
		return name + "(…)"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// statements are what leads to the source call, and that call: where its arguments are made
// by other calls, their texts need not tell how. Packages are named as a user of pkg does.
func statements(pkg string, code wire.Code) string {
	lines := append(code.Lines[:code.Setup:code.Setup], code.Call)
	return wire.Qualify(wire.ForPeople(strings.Join(lines, "\n")), func(at string) string {
		if at == pkg {
			return ""
		}
		if name := code.Imports[at]; name != "" {
			return name + "."
		}
		return path.Base(at) + "."
	})
}

// valueNames are how the values of the i-th call of a relation are called: its results, and
// then the arguments that are looked at after the call.
func valueNames(r relation.Relation, i int) []string {
	if i >= len(r.Form.Calls) {
		return nil
	}
	c := r.Form.Calls[i]
	var names []string
	for k := range c.Results {
		name := "result"
		if len(c.Results) > 1 {
			name += strconv.Itoa(k + 1)
		}
		names = append(names, name)
	}
	for k, a := range c.After {
		if a == "" || a == "_" {
			continue
		}
		name := "argument" + strconv.Itoa(k+1)
		if k < len(r.Form.Params) && len(c.After) == len(r.Form.Params) {
			name = r.Form.Params[k].Name
		}
		names = append(names, name)
	}
	return names
}

// partsThatDiffer compares what values are made of on base and on head.
func partsThatDiffer(names []string, base, head [][]wire.Leaf) []event.PartDiffers {
	var out []event.PartDiffers
	for i := range min(len(base), len(head)) {
		name := "value" + strconv.Itoa(i+1)
		if i < len(names) {
			name = names[i]
		}
		out = append(out, calls.PartsThatDiffer(name, base[i], head[i])...)
	}
	return out[:min(len(out), event.MaxParts)]
}
