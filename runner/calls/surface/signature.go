package surface

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// signature is an object's type, spelled out; versions are compared by it. The
// names of parameters and results are no part of it: who calls does not see
// them.
func signature(o types.Object) string {
	path := func(p *types.Package) string { return p.Path() }
	sig, ok := o.Type().(*types.Signature)
	if !ok {
		return sameNames(types.TypeString(o.Type(), path))
	}
	var b strings.Builder
	for p := range sig.TypeParams().TypeParams() {
		fmt.Fprintf(&b, "[%s %s]", p.Obj().Name(), types.TypeString(p.Constraint(), path))
	}
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		b.WriteString("(")
		for v := range list.Variables() {
			b.WriteString(types.TypeString(v.Type(), path) + ",")
		}
		b.WriteString(")")
	}
	if sig.Variadic() {
		b.WriteString("...")
	}
	return sameNames(b.String())
}

// sameNames writes the types that Go has two names for with one of them.
func sameNames(signature string) string {
	signature = emptyInterface().ReplaceAllString(signature, "any")
	return secondName().ReplaceAllStringFunc(signature, func(name string) string {
		return map[string]string{"byte": "uint8", "rune": "int32"}[name]
	})
}

var (
	emptyInterface = lazyregexp.New(`\binterface ?\{ ?\}`)
	secondName     = lazyregexp.New(`\b(byte|rune)\b`)
)
