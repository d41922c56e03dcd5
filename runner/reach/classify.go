package reach

import (
	"encoding/hex"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/version"
)

// Classify sets the misuse of reached findings whose calls get something that nobody in the module gives: neither by name,
// nor in a call that was recorded while a test ran. Findings that differ only in errors told by callbacks get the kind of
// error texts.
func (s *Stage) Classify(findings []event.Finding) []event.Finding {
	out := slices.Clone(findings)
	recorded := map[*Package][]wire.Sequence{}
	for i := range out {
		f := &out[i]
		at := slices.IndexFunc(s.Packages, func(p *Package) bool { return p.Path == f.Package && p.Search != nil })
		code, err := hex.DecodeString(f.Program)
		if f.Rung != event.Reached || f.Program == "" || at < 0 || err != nil {
			continue
		}
		sequence, _, err := wire.Decode(code)
		if err != nil {
			continue
		}
		p := s.Packages[at]
		if _, known := recorded[p]; !known {
			recorded[p] = s.recipes(p.API)
		}
		if tellsErrors(sequence, p.API, *f) {
			f.Kind = event.KindErrorText
		}
		usage, numbers := s.used()
		u := user{p, usage, recorded[p], numbers, s.ownPackages()}
		crash, refusal := f.Panics()
		switch {
		case callsOthers(sequence, p.API, s.Matching.Versions[version.Head].Tree.Module, u.isOwnType),
			len(f.Changed) == 0 && len(s.Matching.Dependencies) == 0 && endsAbroad(sequence, p.API, s.Matching.Versions[version.Head].Tree.Module):
			f.Misuse = event.CallsOthers
		case u.givesNil(sequence), crash && f.Dereferences() && (embedsNil(sequence, p.Search.TypeName) || answersNil(f.Input) || keepsNil(f.Input)):
			f.Misuse = event.NilArgument
		case (crash || refusal) && u.givesEmpty(sequence, crash, refusal || f.Dereferences()), u.callsUnmade(sequence):
			f.Misuse = event.EmptyStruct
		case !crash && (f.Kind == event.KindErrorToValue || f.Kind == event.KindValueToError) && fillsUp(sequence):
			f.Misuse = event.FullWriter
		case (crash || refusal) && u.leavesOut(sequence):
			f.Misuse = event.UnsetField
		case f.Overflows() && givesItself(sequence, p.API):
			f.Misuse = event.GivenItself
		case f.AssertsUnnamed():
			f.Misuse = event.UnnamedStruct
		case decodesOther(sequence, p.API):
			f.Misuse = event.NoJSON
		case u.bindsOther(sequence):
			f.Misuse = event.OtherTable
		case u.renumbered(sequence):
			f.Misuse = event.Renumbered
		}
	}
	return out
}

// used returns what the module passes to its functions, and the numbers of its constants that are others on head.
func (s *Stage) used() (*surface.Usage, map[string]map[int64]bool) {
	if s.usage == nil {
		base, head := s.Matching.Versions[version.Base].Tree, s.Matching.Versions[version.Head].Tree
		s.usage, s.numbers = surface.NewUsage(base, head), surface.Renumbered(base, head)
	}
	return s.usage, s.numbers
}

// callsOthers reports whether the last step, and all steps that share values with it, call functions of other modules only. Functions
// of the standard library do not count. No value in an interface may be of one of the module's own types; ownType reports that for the
// number of a type.
func callsOthers(p wire.Sequence, api *surface.API, module string, ownType func(int) bool) bool {
	calls := 0
	with := connected(p)
	own := false
	p.Walk(func(step int, l *wire.Lit) { own = own || l.Form == wire.Dynamic && with[step] && ownType(l.T) })
	if own {
		return false
	}
	for i, step := range p {
		path := api.Op(step.Op).Package
		if path == "" || !with[i] {
			continue
		}
		switch {
		case module == "" || path == module || strings.HasPrefix(path, module+"/"):
			return false
		case strings.Contains(path, "."):
			calls++
		}
	}
	return calls > 0
}

// endsAbroad reports whether the last call is one of a function of another module, not of the standard library: it is the same on both
// versions, so that what differs there comes of the change if something of that ran before, or else of chance.
func endsAbroad(p wire.Sequence, api *surface.API, module string) bool {
	if len(p) == 0 {
		return false
	}
	path := api.Op(p[len(p)-1].Op).Package
	return strings.Contains(path, ".") && module != "" && path != module && !strings.HasPrefix(path, module+"/")
}

// ownPackages returns the names of the module's packages.
func (s *Stage) ownPackages() map[string]bool {
	names := map[string]bool{}
	for _, p := range s.Matching.Versions[version.Head].Tree.Packages {
		if p.Code != nil {
			names[p.Code.Name] = true
		}
	}
	return names
}

// isOwnType reports whether a type, by its number, is one of the module, going by the name of its package.
func (u user) isOwnType(n int) bool {
	name := strings.TrimLeft(u.Search.TypeName(n), "*[]")
	pkg, _, ok := strings.Cut(name, ".")
	return ok && u.packages[pkg]
}

// connected returns which steps share a value with the last one, directly or by way of others.
func connected(p wire.Sequence) []bool {
	group := make([]int, len(p)) // of each step: one of those it shares values with
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	p.Walk(func(step int, l *wire.Lit) {
		if l.Form == wire.Ref && l.N >= 0 && int(l.N) < len(p) {
			group[find(step)] = find(int(l.N))
		}
	})
	out := make([]bool, len(p))
	for i := range p {
		out[i] = find(i) == find(len(p)-1)
	}
	return out
}

// fillsUp reports whether a step is given a writer that takes some bytes and no more.
func fillsUp(p wire.Sequence) bool {
	found := false
	p.Walk(func(_ int, l *wire.Lit) { found = found || l.Form == wire.Special && l.S == wire.SpecialLateFull })
	return found
}

// user knows how a package's functions are used.
type user struct {
	*Package
	usage    *surface.Usage
	recorded []wire.Sequence
	numbers  map[string]map[int64]bool // see surface.Renumbered
	packages map[string]bool           // of the module, by their names
}

// givesNil reports whether a step is given nil where nobody gives nil.
func (u user) givesNil(p wire.Sequence) bool {
	for _, step := range p {
		op := u.API.Op(step.Op)
		for k, a := range step.Args {
			if op.Function == nil || !surface.MissesNil(op.Parameter(k)) {
				continue
			}
			a = held(p, a)
			if u.holdsNil(a) || a.Form == wire.Zero && !u.nilIsUsual(step.Op, op.Function, k) {
				return true
			}
		}
	}
	return false
}

// held returns the literal of the variable that an argument refers to where that is nil, and other arguments as they are.
func held(p wire.Sequence, a wire.Lit) wire.Lit {
	if a.Form != wire.Ref || a.N < 0 || int(a.N) >= len(p) || p[a.N].Op != wire.OpLet || len(p[a.N].Args) != 1 {
		return a
	}
	if let := p[a.N].Args[0]; let.Form == wire.Dynamic && len(let.E) == 1 && let.E[0].Form == wire.Zero {
		return let.E[0]
	}
	return a
}

// holdsNil reports whether a value in an interface is a nil pointer.
func (u user) holdsNil(a wire.Lit) bool {
	return a.Form == wire.Dynamic && len(a.E) == 1 && a.E[0].Form == wire.Zero && strings.HasPrefix(u.Search.TypeName(a.T), "*")
}

// embedsNil reports whether a step is given a struct of a type without a name, in an interface, in which an embedded pointer
// is nil: whatever that has by embedding is called on nil. typeName names types by their numbers, as package reflect does.
func embedsNil(p wire.Sequence, typeName func(int) string) bool {
	found := false
	p.Walk(func(_ int, l *wire.Lit) {
		if l.Form != wire.Dynamic || len(l.E) != 1 {
			return
		}
		value := l.E[0]
		if value.Form == wire.Pointer && len(value.E) == 1 {
			value = value.E[0]
		}
		name, unnamed := strings.CutPrefix(strings.TrimPrefix(typeName(l.T), "*"), "struct {")
		if !unnamed || strings.ContainsAny(name, "{`\"") { // fields cannot be told apart
			return
		}
		for i, field := range strings.Split(name, ";") {
			left := value.Form == wire.Zero || value.Form == wire.Struct && i < len(value.E) && value.E[i].Form == wire.Zero
			found = found || left && strings.HasPrefix(strings.TrimSpace(field), "*")
		}
	})
	return found
}

// nilAnswer matches a function that gives nil, with the type of what it gives.
var nilAnswer = lazyregexp.New(`\bfunc\((?:[^(){}]|\([^(){}]*\))*\) ([\w.]+) \{ return nil \}`)

// answersNil reports whether a call is given a function that gives nil for an interface. An error may be nil, and a pointer, for what
// is not there.
func answersNil(input string) bool {
	return slices.ContainsFunc(nilAnswer().FindAllStringSubmatch(input, -1), func(m []string) bool { return m[1] != "error" && m[1] != "any" })
}

// nilPointer matches a variable of an interface type that holds a nil pointer.
var nilPointer = lazyregexp.New(`(?m)^var \w+ ([\w.]+) = \(\*[\w.]+\)\(nil\)$`)

// keepsNil reports whether a call has a nil pointer in an interface with methods, other than an error, which nobody calls them on; what takes
// anything may be given that, too.
func keepsNil(input string) bool {
	return slices.ContainsFunc(nilPointer().FindAllStringSubmatch(input, -1), func(m []string) bool { return m[1] != "error" && m[1] != "any" })
}

// nilIsUsual reports whether an argument is nil in a call of the module, or the function is written for
// that, or nothing is known of its calls.
func (u user) nilIsUsual(op wire.Op, f *types.Func, k int) bool {
	given, called := u.usage.Nil(f, k)
	if given || !called || u.usage.ProvidesFor(f, k) {
		return true
	}
	for _, p := range u.recorded {
		for _, s := range p {
			if s.Op == op && k < len(s.Args) && s.Args[k].Form == wire.Zero {
				return true
			}
		}
	}
	return false
}

// givesEmpty reports whether a step is given a struct with nothing in it, of a type that the
// module never leaves empty: as its receiver, where a function makes such values, or the module itself
// with fields that nobody else sets, since
// callers may rely on that a zero value works where none does; or as an argument, or within a list that one holds. receivers
// and arguments tell which of the two count.
func (u user) givesEmpty(p wire.Sequence, receivers, arguments bool) bool {
	for _, step := range p {
		op := u.API.Op(step.Op)
		for k, a := range step.Args {
			receiver := k == 0 && op.IsMethod()
			if arguments && !receiver && slices.ContainsFunc(emptyElements(op.Parameter(k), a), u.isUnusuallyEmpty) {
				return true
			}
			name := u.emptyType(p, op.Parameter(k), a)
			if !u.isUnusuallyEmpty(name) {
				continue
			}
			if receiver && receivers && (u.isMade(name) || u.usage.FillsHidden(name)) || !receiver && arguments {
				return true
			}
		}
	}
	return false
}

// isUnusuallyEmpty reports whether the module never leaves a struct of a named type empty.
func (u user) isUnusuallyEmpty(name string) bool {
	return name != "" && !isUnnamed(name) && !u.usage.LeavesEmpty(name)
}

// emptyElements names the struct types of elements with nothing in them, in the lists that an argument holds.
func emptyElements(t types.Type, a wire.Lit) (names []string) {
	if t == nil {
		return nil
	}
	switch under := t.Underlying().(type) {
	case *types.Pointer:
		if a.Form == wire.Pointer && len(a.E) == 1 {
			return emptyElements(under.Elem(), a.E[0])
		}
	case *types.Struct:
		for i := 0; a.Form == wire.Struct && i < min(len(a.E), under.NumFields()); i++ {
			names = append(names, emptyElements(under.Field(i).Type(), a.E[i])...)
		}
	case *types.Slice:
		if a.Form != wire.Seq {
			break
		}
		elem := under.Elem()
		if pointer, ok := elem.Underlying().(*types.Pointer); ok {
			elem = pointer.Elem()
		}
		_, ofStructs := elem.Underlying().(*types.Struct)
		for _, e := range a.E {
			if ofStructs && (e.Form == wire.Pointer || e.Form == wire.Struct) && isEmpty(e, elem) {
				names = append(names, surface.ReflectName(elem))
			} else {
				names = append(names, emptyElements(under.Elem(), e)...)
			}
		}
	}
	return names
}

// isUnnamed reports whether a struct type, named as package reflect or go/types does, has no name.
// Nobody made rules for such a type.
func isUnnamed(name string) bool {
	return strings.HasPrefix(name, "struct {") || strings.HasPrefix(name, "struct{")
}

// isMade reports whether an exported function of the package gives values of a type.
func (u user) isMade(name string) bool {
	for _, op := range u.API.All() {
		if op.Exported && !op.OfTest && op.Makes(name) {
			return true
		}
	}
	return false
}

// emptyType names the struct type of an argument with nothing in it; "" for others.
func (u user) emptyType(p wire.Sequence, t types.Type, a wire.Lit) string {
	if a.Form == wire.Ref && a.N >= 0 && int(a.N) < len(p) {
		made := p[a.N]
		if made.Op != wire.OpLet || len(made.Args) != 1 {
			return ""
		}
		a = made.Args[0]
	}
	if a.Form == wire.Dynamic && len(a.E) == 1 {
		if name := strings.TrimPrefix(u.Search.TypeName(a.T), "*"); mayBeStruct(a.E[0], name) && isEmpty(a.E[0], nil) && !u.holdsNil(a) {
			return name
		}
		return ""
	}
	if t == nil {
		return ""
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok && a.Form == wire.Pointer {
		t = pointer.Elem()
	}
	if _, ok := t.Underlying().(*types.Struct); !ok || !isEmpty(a, t) {
		return ""
	}
	return surface.ReflectName(t)
}

// mayBeStruct reports whether a value in an interface may be a struct or the address of one, as far as its
// literal and the name of its type tell: false in an any is a value like others.
func mayBeStruct(l wire.Lit, name string) bool {
	switch l.Form {
	case wire.Struct, wire.Pointer:
		return true
	case wire.Zero:
		return isUnnamed(name) || strings.Contains(name, ".") && !strings.ContainsAny(name, "[]( ")
	}
	return false
}

// isEmpty reports whether a literal is a struct, or the address of one, in whose fields nothing is
// set, be it by zeros, but further ones that are empty, and pointers to others of its type: a node
// without anything but its neighbours. The type is nil where it is not known.
func isEmpty(l wire.Lit, t types.Type) bool {
	switch l.Form {
	case wire.Zero:
		return true
	case wire.Int, wire.Uint, wire.Bool, wire.Float:
		return l.N == 0
	case wire.Text:
		return l.S == ""
	case wire.Pointer:
		return len(l.E) == 1 && (l.E[0].Form == wire.Zero || l.E[0].Form == wire.Struct) && isEmpty(l.E[0], t)
	case wire.Struct:
		for i, e := range l.E {
			if !isEmpty(e, nil) && !(e.Form == wire.Ref && linksAlike(t, i)) {
				return false
			}
		}
		return true
	}
	return false
}

// linksAlike reports whether the ith field of a struct type is a pointer to such a struct.
func linksAlike(t types.Type, i int) bool {
	if t == nil {
		return false
	}
	fields, ok := t.Underlying().(*types.Struct)
	return ok && i < fields.NumFields() && types.Identical(fields.Field(i).Type(), types.NewPointer(t))
}
