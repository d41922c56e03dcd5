package planted

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Branch is a function that returns true where its marked condition is true.
type Branch struct {
	Name     string
	Template string // the name of it
	Feasible bool
	Source   string // declarations
	Call     string // one that takes it; "" if there is none
}

// Mark stands before the condition.
const Mark = "/*goal*/ "

// template makes a branch: its declarations with NAME for the name, and the call that
// takes it.
type template struct {
	name string
	make func(r *rand.Rand) (source, call string)
}

// Draw makes so many branches of both kinds, the templates by turns.
func Draw(seed uint64, each int) []Branch {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []Branch
	for _, kind := range []struct {
		feasible bool
		list     []template
	}{{false, infeasible}, {true, feasible}} {
		for i := range each {
			t := kind.list[i%len(kind.list)]
			b := Branch{Name: fmt.Sprintf("%s%d", map[bool]string{true: "Feasible", false: "Infeasible"}[kind.feasible], i), Template: t.name, Feasible: kind.feasible}
			source, call := t.make(r)
			b.Source, b.Call = strings.ReplaceAll(source, "NAME", b.Name), strings.ReplaceAll(call, "NAME", b.Name)
			out = append(out, b)
		}
	}
	return out
}

// File is a Go file of branches.
func File(pkg string, list []Branch) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"errors\"\n\t\"math\"\n\t\"strings\"\n)\n\nvar _, _, _ = errors.New, math.NaN, strings.ToUpper\n\n", pkg)
	for _, x := range list {
		b.WriteString(x.Source + "\n")
	}
	return b.String()
}

// when is a function that returns false unless all of some conditions hold, and then has
// the goal.
func when(params string, goal string, before ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func NAME(%s) bool {\n", params)
	for _, s := range before {
		if strings.HasPrefix(s, "do ") {
			b.WriteString("\t" + s[3:] + "\n")
			continue
		}
		fmt.Fprintf(&b, "\tif !(%s) {\n\t\treturn false\n\t}\n", s)
	}
	fmt.Fprintf(&b, "\tif %s%s {\n\t\treturn true\n\t}\n\treturn false\n}\n", Mark, goal)
	return b.String()
}

var small = []string{"int8", "uint8", "int16", "uint16", "int32"}

func one(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func f(format string, args ...any) string { return fmt.Sprintf(format, args...) }
