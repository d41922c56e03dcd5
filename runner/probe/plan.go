//go:build go1.21

package probe

import (
	"reflect"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// plan is what a walk has to know of a type. Asking reflection for it at each value would
// cost more than the rest of the walk.
type plan struct {
	kind    reflect.Kind
	says    speech
	ours    bool // the methods of the type are the module's own
	nilable bool // values of the type can be nil
	isTime  bool
	ofBytes bool // its elements are bytes
	name    uint64
	visible bool     // its name is for others to see
	elem    ofType   // of a pointer, slice, array or map
	key     ofType   // of a map
	fields  []member // of a struct
}

// member is a field of a struct.
type member struct {
	at      int // number of the field
	name    uint64
	visible bool
	aside   bool // see Bookkeeping
	of      ofType
}

// ofType is the plan of a type, made when it is wanted first: types may lead to themselves.
type ofType struct {
	t    reflect.Type
	made *atomic.Pointer[plan]
}

func later(t reflect.Type) ofType { return ofType{t, new(atomic.Pointer[plan])} }

func (o ofType) plan() *plan {
	if p := o.made.Load(); p != nil {
		return p
	}
	p := planOf(o.t)
	o.made.Store(p)
	return p
}

// plans holds one plan for each type: walks tell types apart by them.
var plans sync.Map // reflect.Type → *plan

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p, _ := plans.LoadOrStore(t, newPlan(t))
	return p.(*plan)
}

var (
	errorType    = reflect.TypeOf((*error)(nil)).Elem()
	stringerType = reflect.TypeOf((*interface{ String() string })(nil)).Elem()
	timeType     = reflect.TypeOf(time.Time{})
)

func newPlan(t reflect.Type) *plan {
	p := &plan{kind: t.Kind(), says: speechOf(t), isTime: t == timeType, name: hashString(t.String()), visible: visibleType(t)}
	switch p.kind {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		p.elem = later(t.Elem())
		p.ofBytes = t.Elem().Kind() == reflect.Uint8
	case reflect.Struct:
		p.fields = make([]member, t.NumField())
		for i := range p.fields {
			f := t.Field(i)
			p.fields[i] = member{i, hashString(f.Name), (f.IsExported() || f.Anonymous) && !Lacks(t, f.Name), Bookkeeping(f.Type), later(f.Type)}
		}
		// By name, so that a field that one version declares elsewhere is the same.
		sort.Slice(p.fields, func(i, k int) bool { return t.Field(p.fields[i].at).Name < t.Field(p.fields[k].at).Name })
	}
	pkg := t.PkgPath()
	switch p.kind {
	case reflect.Pointer:
		pkg = t.Elem().PkgPath()
		p.nilable = true
	case reflect.Map:
		p.key = later(t.Key())
		p.nilable = true
	case reflect.Slice, reflect.Func, reflect.Chan:
		p.nilable = true
	}
	p.ours = OfModule(pkg)
	return p
}

// Bookkeeping reports whether what is in a value of a type is no state of what holds it: the type guards others, as those of
// package sync do, or is the one in which package protobuf keeps a description of a message's type, in each message, or it is
// the test that something was made for.
func Bookkeeping(t reflect.Type) bool {
	pkg := t.PkgPath()
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		if pkg = t.Elem().PkgPath(); pkg != "testing" {
			return false
		}
	}
	switch pkg {
	case "testing":
		return true
	case "sync":
		return t.Name() != "Map"
	case "google.golang.org/protobuf/internal/impl":
		return t.Name() == "MessageState"
	}
	return false
}

func visibleType(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	n := t.Name()
	return t.PkgPath() == "" || n == "" || n[0] >= 'A' && n[0] <= 'Z'
}

// speech says which method tells what a value of a type is.
type speech int

const (
	nothingSaid speech = iota
	anError
	aStringer
	aMessage // of protocol buffers
)

// messageType is what messages of protocol buffers implement.
var messageType = reflect.TypeOf((*interface {
	String() string
	ProtoMessage()
})(nil)).Elem()

// withoutDraws returns a text of protocol buffers without what they draw from the hash of the program's file, so that nobody relies on it:
// of errors the blank behind the first word, of messages one blank or two between fields.
func withoutDraws(s string, of speech) string {
	if of == anError {
		return strings.ReplaceAll(s, "proto:\u00a0", "proto: ")
	}
	return strings.ReplaceAll(s, "  ", " ")
}

func speechOf(t reflect.Type) speech {
	switch {
	case t.Kind() == reflect.Interface:
	case t.Implements(errorType):
		return anError
	case t.Implements(messageType):
		return aMessage
	case t.Implements(stringerType):
		return aStringer
	}
	return nothingSaid
}

// methodText is what Error or String say of a value, where that can be asked.
func methodText(v reflect.Value, errorsOnly bool) (s string, ok bool) {
	return planOf(v.Type()).methodText(v, errorsOnly)
}

// methodText is what Error or String say of a value of the type. The module's own methods
// run under the probe: what they cover and consume is given back, because looking at a value
// is not part of the test. errorsOnly leaves String alone, which may cost any amount.
func (p *plan) methodText(v reflect.Value, errorsOnly bool) (s string, ok bool) {
	switch {
	case p.says == nothingSaid, errorsOnly && p.says != anError, !v.CanInterface(), p.nilable && v.IsNil():
		return "", false
	case p.ours:
		// What was entered stays: if a changed method speaks for the value,
		// the observation depends on the change.
		defer keep()()
	}
	defer func() {
		if recover() != nil {
			s, ok = "method panics", true
		}
	}()
	if p.says == anError {
		return withoutDraws(v.Interface().(error).Error(), anError), true
	}
	s = v.Interface().(interface{ String() string }).String()
	if p.says == aMessage {
		s = withoutDraws(s, aMessage)
	}
	return s, true
}
