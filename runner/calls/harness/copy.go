//go:build go1.21

package harness

import (
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

// Limits of what is copied.
const (
	copiedNodes = 20_000
	copiedBytes = 1 << 20 // of texts and of memory without pointers
)

// A survey is what is needed to copy values deeply, again and again, while
// they stay as they are. Memory is seen as regions: what a pointer points to,
// the array behind a slice with its whole capacity. A region that lies within
// another is part of it, so that pointers into structs and slices of one array
// share memory in the copy as they do in the original. Then each place that
// refers to a region is set right in the copy.
//
// The language promises nothing about unexported fields reached through
// package unsafe, nor about maps that another goroutine writes to: a value in
// use elsewhere may be copied half changed.
type survey struct {
	reason  string // why the values cannot be copied
	roots   []root
	regions []region // after settle: none within another, by address
	fixes   []fix    // inner ones first
	nodes   int
	bytes   int
	seen    map[target]bool
	maps    map[unsafe.Pointer]int // number of a map
	newMaps []reflect.Type
	locked  bool // a mutex is
}

type root struct {
	t  reflect.Type
	at unsafe.Pointer
}

// region is n values of type t at one address.
type region struct {
	at unsafe.Pointer
	t  reflect.Type
	n  int
}

func (r region) end() uintptr { return uintptr(r.at) + uintptr(r.n)*r.t.Size() }

type target struct {
	at unsafe.Pointer
	t  reflect.Type
	n  int
}

// fix is a place in the original whose copy has to be set right.
type fix struct {
	at    unsafe.Pointer
	t     reflect.Type
	box   unsafe.Pointer // what an interface holds
	boxed reflect.Type
	m     int // number of a map
	// fill: entries of map m, held at these places by turns.
	fill    bool
	entries []unsafe.Pointer
	whole   reflect.Value // a map to copy entry by entry
	// addressed: the reflected value in this place is itself a place.
	addressed bool
}

// sliceHeader is how a slice lies in memory.
type sliceHeader struct {
	at       unsafe.Pointer
	len, cap int
}

// look surveys values of the given static types.
func look(values []reflect.Value, types []reflect.Type) *survey {
	s := &survey{seen: map[target]bool{}}
	for i, v := range values {
		holder := reflect.New(types[i])
		if v.IsValid() {
			holder.Elem().Set(v)
		}
		s.roots = append(s.roots, root{types[i], holder.UnsafePointer()})
		s.region(holder.UnsafePointer(), types[i], 1)
	}
	if s.reason == "" {
		s.settle()
	}
	return s
}

func (s *survey) fail(reason string) {
	if s.reason == "" {
		s.reason = reason
	}
}

// region takes in n values at one address, once.
func (s *survey) region(at unsafe.Pointer, t reflect.Type, n int) {
	if s.seen[target{at, t, n}] || s.reason != "" {
		return
	}
	s.seen[target{at, t, n}] = true
	s.regions = append(s.regions, region{at, t, n})
	if !refers(t) {
		s.spend(n * int(t.Size()))
		s.texts(at, t, n)
		return
	}
	for i := 0; i < n && s.reason == ""; i++ {
		s.value(unsafe.Add(at, uintptr(i)*t.Size()), t)
	}
}

func (s *survey) spend(bytes int) {
	if s.bytes += bytes; bytes > copiedBytes || s.bytes > copiedBytes {
		s.fail("too large")
	}
}

// texts counts strings that lie side by side.
func (s *survey) texts(at unsafe.Pointer, t reflect.Type, n int) {
	if t.Kind() != reflect.String {
		return // strings in structs are not worth a look
	}
	for _, x := range unsafe.Slice((*string)(at), n) {
		s.bytes += len(x)
	}
	s.spend(0)
}

// value looks at one value in memory.
func (s *survey) value(at unsafe.Pointer, t reflect.Type) {
	if s.nodes++; s.nodes > copiedNodes {
		s.fail("too large")
		return
	}
	v := reflect.NewAt(t, at).Elem()
	shared, reason := treatment(t, v)
	if reason != "" {
		s.fail(reason)
		return
	}
	if shared {
		return
	}
	s.locked = s.locked || t == mutexType && !v.IsZero()
	if t == reflectedType {
		s.reflected(at, t, v.Interface().(reflect.Value))
		return
	}
	switch t.Kind() {
	case reflect.String:
		s.spend(v.Len())
	case reflect.Pointer:
		if !v.IsNil() && t.Elem().Size() > 0 {
			s.region(v.UnsafePointer(), t.Elem(), 1)
			s.fixes = append(s.fixes, fix{at: at, t: t})
		}
	case reflect.Slice:
		if v.Cap() > 0 && t.Elem().Size() > 0 {
			if v.Cap() > copiedBytes {
				s.fail("too large")
				return
			}
			s.region(v.UnsafePointer(), t.Elem(), v.Cap())
			s.fixes = append(s.fixes, fix{at: at, t: t})
		}
	case reflect.Map:
		if !v.IsNil() {
			s.mapping(at, v)
		}
	case reflect.Interface:
		if !v.IsNil() {
			s.held(at, t, v.Elem())
		}
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if f := t.Field(i); refers(f.Type) || f.Type.Kind() == reflect.String {
				s.value(unsafe.Add(at, f.Offset), f.Type)
			}
		}
	case reflect.Array:
		if refers(t.Elem()) {
			for i := 0; i < t.Len() && s.reason == ""; i++ {
				s.value(unsafe.Add(at, uintptr(i)*t.Elem().Size()), t.Elem())
			}
		}
	}
}

// held looks at what an interface holds. It is looked at in a place of its
// own: nothing can change what an interface holds in place.
func (s *survey) held(at unsafe.Pointer, t reflect.Type, v reflect.Value) {
	if !refers(v.Type()) {
		if _, reason := treatment(v.Type(), v); reason != "" {
			s.fail(reason)
		}
		return
	}
	if sharedError(v) {
		return
	}
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	s.region(box.UnsafePointer(), v.Type(), 1)
	s.fixes = append(s.fixes, fix{at: at, t: t, box: box.UnsafePointer(), boxed: v.Type()})
}

var mutexType = reflect.TypeOf(sync.Mutex{})

var reflectedType = reflect.TypeOf(reflect.Value{})

// reflected looks at what a reflected value stands for: a place, or a value in
// no place, as in an interface.
func (s *survey) reflected(at unsafe.Pointer, t reflect.Type, v reflect.Value) {
	f := fix{at: at, t: t, addressed: v.CanAddr()}
	switch {
	case !v.IsValid():
		return
	case v.CanSet():
		f.box = v.Addr().UnsafePointer()
	case v.CanAddr() || !v.CanInterface() || v.Kind() == reflect.Interface:
		s.fail("reflect.Value of an unexported field")
		return
	default:
		box := reflect.New(v.Type())
		box.Elem().Set(v)
		f.box = box.UnsafePointer()
	}
	f.boxed = v.Type()
	s.region(f.box, f.boxed, 1)
	s.fixes = append(s.fixes, f)
}

func (s *survey) mapping(at unsafe.Pointer, v reflect.Value) {
	n, known := s.maps[v.UnsafePointer()]
	if !known {
		if s.maps == nil {
			s.maps = map[unsafe.Pointer]int{}
		}
		n = len(s.newMaps)
		s.maps[v.UnsafePointer()] = n
		s.newMaps = append(s.newMaps, v.Type())
		if !refers(v.Type().Key()) && !refers(v.Type().Elem()) {
			s.nodes += v.Len() / 4
			s.fixes = append(s.fixes, fix{m: n, t: v.Type(), whole: v}, fix{at: at, t: v.Type(), m: n})
			return
		}
		var entries []unsafe.Pointer
		for it := v.MapRange(); it.Next() && s.reason == ""; {
			for _, x := range [2]reflect.Value{it.Key(), it.Value()} {
				holder := reflect.New(x.Type())
				holder.Elem().Set(x)
				s.nodes++
				s.region(holder.UnsafePointer(), x.Type(), 1)
				entries = append(entries, holder.UnsafePointer())
			}
		}
		s.fixes = append(s.fixes, fix{m: n, t: v.Type(), fill: true, entries: entries})
	}
	s.fixes = append(s.fixes, fix{at: at, t: v.Type(), m: n})
}

// settle joins regions that overlap.
func (s *survey) settle() {
	sort.SliceStable(s.regions, func(i, j int) bool {
		a, b := s.regions[i], s.regions[j]
		if a.at != b.at {
			return uintptr(a.at) < uintptr(b.at)
		}
		return a.end() > b.end()
	})
	kept := s.regions[:0]
	for _, r := range s.regions {
		if r.t.Size() == 0 {
			continue
		}
		if n := len(kept); n > 0 && uintptr(r.at) < kept[n-1].end() {
			last := &kept[n-1]
			if r.end() <= last.end() {
				continue
			}
			off := uintptr(r.at) - uintptr(last.at)
			if r.t != last.t || off%r.t.Size() != 0 {
				s.fail("memory seen in two ways")
				return
			}
			last.n = int(off/r.t.Size()) + r.n
			continue
		}
		kept = append(kept, r)
	}
	s.regions = kept
}

// copied is one copy.
type copied struct {
	*survey
	at   []unsafe.Pointer // of each region
	maps []reflect.Value
}

// copy makes a copy of the roots, each a settable value of its static type.
func (s *survey) copy() []reflect.Value {
	c := copied{survey: s, at: make([]unsafe.Pointer, len(s.regions))}
	for i, r := range s.regions {
		c.at[i] = r.duplicate()
	}
	for _, t := range s.newMaps {
		c.maps = append(c.maps, reflect.MakeMap(t))
	}
	for _, f := range s.fixes {
		c.fix(f)
	}
	out := make([]reflect.Value, len(s.roots))
	for i, r := range s.roots {
		out[i] = reflect.NewAt(r.t, c.moved(r.at)).Elem()
	}
	return out
}

func (r region) duplicate() unsafe.Pointer {
	if r.n == 1 {
		to := reflect.New(r.t)
		to.Elem().Set(reflect.NewAt(r.t, r.at).Elem())
		return to.UnsafePointer()
	}
	to := reflect.MakeSlice(reflect.SliceOf(r.t), r.n, r.n)
	from := reflect.New(to.Type())
	*(*sliceHeader)(from.UnsafePointer()) = sliceHeader{r.at, r.n, r.n}
	reflect.Copy(to, from.Elem())
	return to.UnsafePointer()
}

// moved is where the copy of what lies at an address is.
func (c *copied) moved(at unsafe.Pointer) unsafe.Pointer {
	i := sort.Search(len(c.regions), func(i int) bool { return uintptr(c.regions[i].at) > uintptr(at) }) - 1
	if i < 0 || uintptr(at) >= c.regions[i].end() {
		return at // of no size
	}
	return unsafe.Add(c.at[i], uintptr(at)-uintptr(c.regions[i].at))
}

func (c *copied) fix(f fix) {
	if f.fill {
		m := c.maps[f.m]
		for i := 0; i < len(f.entries); i += 2 {
			m.SetMapIndex(reflect.NewAt(f.t.Key(), c.moved(f.entries[i])).Elem(), reflect.NewAt(f.t.Elem(), c.moved(f.entries[i+1])).Elem())
		}
		return
	}
	if f.whole.IsValid() {
		for it := f.whole.MapRange(); it.Next(); {
			c.maps[f.m].SetMapIndex(it.Key(), it.Value())
		}
		return
	}
	at := c.moved(f.at)
	switch f.t.Kind() {
	case reflect.Pointer:
		p := (*unsafe.Pointer)(at)
		*p = c.moved(*(*unsafe.Pointer)(f.at))
	case reflect.Slice:
		h := (*sliceHeader)(at)
		h.at = c.moved((*sliceHeader)(f.at).at)
	case reflect.Map:
		reflect.NewAt(f.t, at).Elem().Set(c.maps[f.m])
	case reflect.Struct: // a reflect.Value
		v := reflect.NewAt(f.boxed, c.moved(f.box)).Elem()
		if !f.addressed {
			v = reflect.ValueOf(v.Interface())
		}
		*(*reflect.Value)(at) = v
	case reflect.Interface:
		reflect.NewAt(f.t, at).Elem().Set(reflect.NewAt(f.boxed, c.moved(f.box)).Elem())
	}
}

// referring remembers what refers gave.
var referring sync.Map // reflect.Type → bool

// refers reports whether a value of a type may refer to memory that can be
// changed, or be one of those that cannot be copied. Strings do not.
func refers(t reflect.Type) bool {
	if r, ok := referring.Load(t); ok {
		return r.(bool)
	}
	r := anywhere(t, func(t reflect.Type) bool {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
			return true
		case reflect.Struct:
			return guarded[t.PkgPath()]
		}
		return false
	})
	referring.Store(t, r)
	return r
}

// anywhere reports whether something holds for a type or a part of it.
func anywhere(t reflect.Type, holds func(reflect.Type) bool) bool {
	if holds(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && anywhere(t.Elem(), holds)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if anywhere(t.Field(i).Type, holds) {
				return true
			}
		}
	}
	return false
}

// guarded are packages whose structs need a look even where they hold no
// pointer.
var guarded = map[string]bool{
	"sync": true, "internal/sync": true, "testing": true, "os": true, "net": true,
	"internal/poll": true, "runtime": true, "weak": true, "unique": true,
}

// treatment says what to do with a value of a type: share it, since nothing
// changes it or identity matters; leave the whole entry, for a reason; or look
// further.
func treatment(t reflect.Type, v reflect.Value) (shared bool, reason string) {
	switch t.Kind() {
	case reflect.Chan:
		if !v.IsNil() {
			return false, "channel"
		}
	case reflect.Func:
		if !v.IsNil() && !static(v) {
			return false, "function"
		}
	case reflect.UnsafePointer:
		if !v.IsNil() {
			return false, "unsafe pointer"
		}
	case reflect.Pointer:
		if v.IsNil() {
			return true, ""
		}
		e := t.Elem()
		switch e.PkgPath() {
		case "internal/abi", "reflect", "unique":
			return true, ""
		case "time":
			return e.Name() == "Location", ""
		case "regexp":
			return e.Name() == "Regexp", ""
		case "unicode":
			return e.Name() == "RangeTable", ""
		}
		return v.Type() == errorStringType, ""
	case reflect.Struct:
		return structTreatment(t, v)
	}
	return false, ""
}

func structTreatment(t reflect.Type, v reflect.Value) (shared bool, reason string) {
	name := t.Name()
	switch t.PkgPath() {
	case "unique":
		return true, ""
	case "testing", "internal/poll", "runtime", "weak":
		return false, t.String()
	case "os":
		if strings.EqualFold(name, "file") || name == "Process" || name == "Root" {
			return false, t.String()
		}
	case "net":
		if name == "netFD" {
			return false, t.String()
		}
	case "sync", "internal/sync":
		switch {
		case name == "Once" || v.IsZero():
		case name == "Mutex" && heldOnly(v):
		default:
			return false, t.String() + " in use"
		}
	}
	return false, ""
}

// heldOnly reports whether a mutex is locked and nobody waits for it. Its copy is
// locked too, which is what a function that is called under the lock expects.
func heldOnly(v reflect.Value) bool {
	return v.CanAddr() && v.Type().Size() == 8 && *(*[2]uint32)(v.Addr().UnsafePointer()) == [2]uint32{1, 0}
}

// static reports whether a function holds no state: a declared one, or a literal that captures nothing, for
// which the compiler needs no memory of the heap or of a stack.
func static(v reflect.Value) bool {
	f := runtime.FuncForPC(v.Pointer())
	if f == nil {
		return false
	}
	name := f.Name()
	if strings.HasPrefix(name, "reflect.") {
		return false // made by reflect.MakeFunc
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i:]
	}
	if strings.Contains(name, "-") || strings.Contains(name, "[") {
		return false
	}
	return !strings.Contains(name, ".func") || capturesNothing(v)
}

// capturesNothing reports whether a function literal stands in the program's own memory.
func capturesNothing(v reflect.Value) bool {
	if !v.CanAddr() {
		if !v.CanInterface() {
			return false
		}
		box := reflect.New(v.Type()).Elem()
		box.Set(v)
		v = box
	}
	return !onHeap(*(*unsafe.Pointer)(v.Addr().UnsafePointer()))
}

// sharedError reports whether an error is a declared one, such as io.EOF, that is
// known by its identity.
func sharedError(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Implements(errorType) && !onHeap(v.UnsafePointer())
}

// heap is where the run time's heap begins, as far as that can be told: the
// first memory it hands out lies low in it.
var heap = uintptr(reflect.New(reflect.TypeOf([64]*int{})).UnsafePointer()) &^ (1<<32 - 1)

// onHeap reports whether memory is certainly none of a declared variable.
func onHeap(at unsafe.Pointer) bool {
	return uintptr(at) >= heap && uintptr(at)-heap < 1<<38
}
