package reach

import (
	"slices"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/version"
)

// Roles returns how closely each operation shows the change, by number.
func (s *Surface) Roles(api *surface.API) map[wire.Op]wire.Role {
	if s.Everything {
		return wanted(api)
	}
	changed := map[string]bool{}
	anyInit := false
	for _, f := range s.Matching.Changed {
		changed[f.Name] = true
		// What an initialiser only hands out is called by itself.
		handed := f.Status == isomorph.Through && f.Package == api.Package && api.HandsOut
		anyInit = anyInit || f.Init && !handed
	}
	reach := s.Matching.Reaches()
	return rolesOf(api, changed, anyInit, func(op surface.Operation) bool {
		if lead, known := s.lead(op); known {
			return lead != isomorph.LeadsNowhere
		}
		_, base := reach[version.Base].Distance(op.At[version.Base])
		_, head := reach[version.Head].Distance(op.At[version.Head])
		return base || head
	})
}

// lead returns how an operation leads to what differs in dependencies, see isomorph.Lead.
func (s *Surface) lead(op surface.Operation) (isomorph.Lead, bool) {
	most := isomorph.LeadsNowhere
	for side, at := range op.At {
		lead, known := s.Matching.Lead(version.Side(side).String(), at)
		if !known {
			return most, false
		}
		most = max(most, lead)
	}
	return most, true
}

// Faces returns the operations by which callers get to what differs in dependencies.
func (s *Surface) Faces(api *surface.API) []wire.Op {
	var out []wire.Op
	for i, op := range api.All() {
		if lead, _ := s.lead(op); lead == isomorph.LeadsIn && op.Exported && !op.Global && op.Declared() || op.Entry {
			out = append(out, i)
		}
	}
	return out
}

// wanted returns the roles where relations of every exported function are checked.
func wanted(api *surface.API) map[wire.Op]wire.Role {
	roles := map[wire.Op]wire.Role{}
	for i, op := range api.All() {
		if op.Exported && op.Package == api.Package {
			roles[i] = wire.Changed
		}
	}
	return roles
}

// rolesOf gives operations their roles. A function of Δ is changed, and so is what recodes documents of a type that changed; one from which
// calls lead to Δ, or that makes values with methods in Δ, is a caller; what takes a value of a type that either has to do with
// is a consumer. A method of an interface shows what the methods behind it show. Where
// an initialiser changed, any declared function may consume what it made.
func rolesOf(api *surface.API, changed map[string]bool, anyInit bool, leads func(surface.Operation) bool) map[wire.Op]wire.Role {
	r := roles{api: api, of: map[wire.Op]wire.Role{}, builds: map[string]bool{}}
	for i, op := range api.All() {
		if changed[op.Name] || op.Entry || op.Recoded {
			r.give(i, wire.Changed, op.Types())
		}
	}
	for i, op := range api.All() {
		carries := slices.ContainsFunc(op.Carries, func(method string) bool { return changed[method] })
		if !r.has(i) && !op.Variable && op.Declared() && (carries || leads(op)) {
			r.give(i, wire.Caller, op.Results())
		}
	}
	r.throughInterfaces()
	for i, op := range api.All() {
		if !r.has(i) && !op.Variable && !op.OfTest && (anyInit && op.Declared() || r.takes(op)) {
			r.give(i, wire.Consumer, nil)
		}
	}
	return r.of
}

// roles are those found so far.
type roles struct {
	api    *surface.API
	of     map[wire.Op]wire.Role
	builds map[string]bool // types that changed functions and their callers have to do with
}

func (r *roles) has(i wire.Op) bool {
	_, ok := r.of[i]
	return ok
}

func (r *roles) give(i wire.Op, role wire.Role, types []string) {
	r.of[i] = role
	for _, t := range types {
		r.builds[t] = true
	}
}

func (r *roles) takes(op surface.Operation) bool {
	for _, t := range op.Params() {
		if r.builds[t] {
			return true
		}
	}
	return false
}

// throughInterfaces gives methods of interfaces the role of what is behind them.
func (r *roles) throughInterfaces() {
	byName := map[string]wire.Role{}
	for i, op := range r.api.All() {
		byName[op.Name] = r.of[i]
	}
	for i, op := range r.api.All() {
		for _, name := range op.Dynamic {
			if role := max(byName[name], r.of[i]); role >= wire.Caller {
				r.give(i, role, op.Params())
			}
		}
	}
}

// wordOf returns a role's name in the stream.
func wordOf(r wire.Role) event.Role {
	switch r {
	case wire.Changed:
		return event.RoleChanged
	case wire.Caller:
		return event.RoleCaller
	}
	return event.RoleConsumer
}
