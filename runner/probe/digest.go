//go:build go1.21

package probe

import (
	"math"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// maxNodes bounds the walk over one value. What lies beyond is not looked at.
	maxNodes = 20000
	// maxHidden bounds what the walk looks at of unexported fields, beside which what is visible has all of
	// maxNodes: a cache may hold thousands of counters that nobody sees, and a digest of them that is cut off earlier
	// tells less, but nothing wrong.
	maxHidden = 2000
	// keyNodes bounds the walk over a map's key, and within a key's own maps a keyPart of it the walks over
	// theirs: each key is walked by itself, and in a graph of maps each leads to all others.
	keyNodes = 512
	keyPart  = 8
	// siteWork is how much one site may look at in one iteration before it
	// is only sampled: a loop that looks at the rest of a long text in each
	// round would otherwise take quadratic time.
	siteWork = 4 << 20
	// A sampled walk looks at so few nodes, and at both ends of a text.
	sampledNodes = 200
	sampledText  = 256
	// nodeWork is what a node costs, in bytes of text.
	nodeWork = 16
)

// walker digests one value, its visible and its hidden side at once.
type walker struct {
	nodes    int
	maxNodes int
	unseen   bool // an unexported field is being walked
	hidden   int  // nodes below unexported fields, which are not among nodes
	bytes    int  // of texts looked at
	sampled  bool
	mute     bool // no method is called; see State
	ofKey    bool // what is walked is a map's key
	visited  *visits
	within   []visit // slices and maps being walked
}

func newWalker(sampled bool) walker {
	if sampled {
		return walker{maxNodes: sampledNodes, sampled: true}
	}
	return walker{maxNodes: maxNodes}
}

// work is what the walk has cost.
func (w *walker) work() int { return (w.nodes+w.hidden)*nodeWork + w.bytes }

func digest(v reflect.Value, sampled bool) (visible, hidden uint64, work int) {
	w := newWalker(sampled)
	visible, hidden = w.value(v, 0)
	w.end()
	return visible, hidden, w.work()
}

func mix(h, x uint64) uint64 {
	h ^= x + 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// hashString takes eight bytes at a time.
func hashString(s string) uint64 {
	h, n := uint64(14695981039346656037), uint64(len(s))
	for len(s) >= 8 {
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = (h ^ x) * 0xd6e8feb86659fd93
		h ^= h >> 32
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h, n)
}

// text digests a text without its noise.
func (w *walker) text(s string) uint64 {
	if w.sampled && len(s) > 2*sampledText {
		w.bytes += 2 * sampledText
		return mix(mix(hashString(normal(s[:sampledText])), hashString(normal(s[len(s)-sampledText:]))), uint64(len(s)))
	}
	w.bytes += len(s)
	return hashString(normal(s))
}

// value is walk for a value whose type is known only now.
func (w *walker) value(v reflect.Value, depth int) (vis, hid uint64) {
	if !v.IsValid() {
		w.nodes++
		return 2, 2
	}
	return w.walk(v, planOf(v.Type()), depth)
}

// walk returns both digests of v; they are the same until unexported state or
// a method makes them part.
func (w *walker) walk(v reflect.Value, p *plan, depth int) (vis, hid uint64) {
	w.nodes++
	if w.nodes > w.maxNodes || depth > 200 {
		return 1, 1
	}
	k := uint64(p.kind)
	if p.isTime && v.CanInterface() && !w.mute {
		n := v.Interface().(time.Time).UnixNano()
		return both(mix(k, uint64(n)))
	}
	if w.mute {
		if h, ok := w.opaque(v, depth); ok {
			return h, h
		}
	} else if p.says != nothingSaid {
		if s, ok := p.methodText(v, w.sampled); ok {
			h := mix(0x7e47, w.text(s))
			return h, h
		}
	}
	switch p.kind {
	case reflect.Bool:
		if v.Bool() {
			return both(mix(k, 1))
		}
		return both(mix(k, 0))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return both(mix(k, uint64(v.Int())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return both(mix(k, v.Uint()))
	case reflect.Uintptr, reflect.UnsafePointer, reflect.Func, reflect.Chan:
		if v.IsZero() {
			return both(mix(k, 0))
		}
		return both(mix(k, 1))
	case reflect.Float32, reflect.Float64:
		return both(mix(k, floatBits(v.Float())))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return both(mix(mix(k, floatBits(real(c))), floatBits(imag(c))))
	case reflect.String:
		return both(mix(k, w.text(v.String())))
	case reflect.Interface:
		if v.IsNil() {
			return both(mix(k, 0))
		}
		return w.dynamic(v.Elem(), depth)
	case reflect.Pointer:
		if v.IsNil() {
			return both(mix(k, 0))
		}
		if i, ok := w.visit(visit{v.Pointer(), p, 0}); ok {
			return both(mix(k, uint64(i)+2))
		}
		a, b := w.walk(v.Elem(), p.elem.plan(), depth+1)
		return mix(k, a), mix(k, b)
	case reflect.Slice:
		if v.IsNil() {
			return both(mix(k, 0))
		}
		return w.slice(v, p, depth)
	case reflect.Array:
		return w.elements(v, p, mix(k, uint64(v.Len())), depth)
	case reflect.Map:
		return w.mapping(v, p, depth)
	case reflect.Struct:
		return w.fields(v, p, depth)
	}
	return both(mix(k, 0xff))
}

func both(h uint64) (uint64, uint64) { return h, h }

// dynamic adds the dynamic type of an interface. The name of an unexported
// type is nobody's business outside its package: it counts as hidden.
func (w *walker) dynamic(v reflect.Value, depth int) (uint64, uint64) {
	p := planOf(v.Type())
	a, b := w.walk(v, p, depth+1)
	if p.visible {
		a = mix(a, p.name)
	}
	return a, mix(b, p.name)
}

// visit returns the number of what is visited, and reports whether it was before.
func (w *walker) visit(key visit) (int, bool) {
	if w.visited == nil {
		w.visited = newVisits()
	}
	return w.visited.add(key)
}

// end gives back what the walk has used.
func (w *walker) end() {
	if w.visited != nil {
		spare.Put(w.visited)
		w.visited = nil
	}
}

// inside reports whether a slice or map is being walked.
func (w *walker) inside(key visit) bool {
	for i := len(w.within) - 1; i >= 0; i-- {
		if w.within[i] == key {
			return true
		}
	}
	return false
}

// slice digests a slice. That it is the same as another one can be seen only by
// writing to it, so it counts as hidden; only a slice within itself is not
// looked at again.
func (w *walker) slice(v reflect.Value, p *plan, depth int) (uint64, uint64) {
	k := uint64(reflect.Slice)
	seed := mix(k, uint64(v.Len())+1)
	if p.ofBytes {
		seed = mix(k, 1) // what is masked in a text may be longer on one version
	}
	if v.Len() == 0 || p.ofBytes {
		return w.elements(v, p, seed, depth)
	}
	key := visit{v.Pointer(), p, v.Len()}
	if w.inside(key) {
		return both(mix(k, 3))
	}
	i, again := w.visit(key)
	w.within = append(w.within, key)
	a, b := w.elements(v, p, seed, depth)
	w.within = w.within[:len(w.within)-1]
	if again {
		b = mix(b, uint64(i)+3)
	}
	return a, b
}

func (w *walker) elements(v reflect.Value, p *plan, seed uint64, depth int) (uint64, uint64) {
	a, b := seed, seed
	if p.ofBytes && p.kind == reflect.Slice {
		return both(mix(seed, w.text(string(v.Bytes()))))
	}
	n := v.Len()
	if n == 0 {
		return a, b
	}
	of := p.elem.plan()
	for i := 0; i < n && w.nodes <= w.maxNodes; i++ {
		x, y := w.walk(v.Index(i), of, depth+1)
		a, b = mix(a, x), mix(b, y)
	}
	return a, b
}

// mapping goes through a map in the order of its keys' digests. Keys are
// digested on their own, so that their order does not depend on what the walk
// has met before.
func (w *walker) mapping(v reflect.Value, p *plan, depth int) (uint64, uint64) {
	k := uint64(reflect.Map)
	if v.IsNil() {
		return both(mix(k, 0))
	}
	key := visit{v.Pointer(), p, 0}
	if w.inside(key) {
		return both(mix(k, 4)) // a map within itself
	}
	if w.ofKey && v.Len() > w.maxNodes {
		return both(mix(k, uint64(v.Len())+1))
	}
	same, again := w.visit(key)
	w.within = append(w.within, key)
	entries := make(byKey, 0, v.Len())
	walked := 0
	for it := v.MapRange(); it.Next(); {
		kw := w.keys()
		a, b := kw.walk(it.Key(), p.key.plan(), depth+1)
		kw.end()
		w.bytes += kw.bytes
		walked += kw.nodes - 1
		entries = append(entries, entry{a, b, it.Value()})
	}
	w.nodes += walked
	sort.Sort(entries)
	a := mix(k, uint64(len(entries))+1)
	b := a
	for _, e := range entries {
		x, y := w.walk(e.value, p.elem.plan(), depth+1)
		a, b = mix(mix(a, e.vis), x), mix(mix(b, e.hid), y)
	}
	w.within = w.within[:len(w.within)-1]
	if again { // hidden for the reason that slice gives
		b = mix(b, uint64(same)+4)
	}
	return a, b
}

// keys is a walker for one key of a map that is being walked.
func (w *walker) keys() walker {
	most := min(w.maxNodes, keyNodes)
	if w.ofKey {
		most = w.maxNodes / keyPart
	}
	return walker{maxNodes: most, sampled: w.sampled, mute: w.mute, ofKey: true, within: w.within[:len(w.within):len(w.within)]}
}

// entry is one of a map, with the digests of its key.
type entry struct {
	vis, hid uint64
	value    reflect.Value
}

type byKey []entry

func (l byKey) Len() int      { return len(l) }
func (l byKey) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l byKey) Less(i, j int) bool {
	if l[i].vis != l[j].vis {
		return l[i].vis < l[j].vis
	}
	return l[i].hid < l[j].hid
}

func (w *walker) fields(v reflect.Value, p *plan, depth int) (uint64, uint64) {
	a := uint64(reflect.Struct)
	b := a
	for i := 0; i < len(p.fields) && w.nodes <= w.maxNodes; i++ {
		f := &p.fields[i]
		x := v.Field(f.at)
		if x.IsZero() {
			continue // so that an unexported field which one version lacks counts once it holds something
		}
		if f.aside {
			continue
		}
		if !f.visible {
			b = mix(mix(b, f.name), w.hide(x, f.of.plan(), depth+1))
			continue
		}
		vis, hid := w.walk(x, f.of.plan(), depth+1)
		a = mix(mix(a, f.name), vis)
		b = mix(mix(b, f.name), hid)
	}
	return a, b
}

// hide digests an unexported field. The outermost ones share maxHidden nodes.
func (w *walker) hide(v reflect.Value, p *plan, depth int) uint64 {
	if w.unseen || w.mute || w.ofKey {
		_, hid := w.walk(v, p, depth)
		return hid
	}
	nodes, most := w.nodes, w.maxNodes
	w.unseen, w.maxNodes = true, nodes+min(most, maxHidden)-w.hidden
	_, hid := w.walk(v, p, depth)
	w.hidden += w.nodes - nodes
	w.unseen, w.nodes, w.maxNodes = false, nodes, most
	return hid
}

func floatBits(f float64) uint64 {
	if math.IsNaN(f) {
		return 0x7ff8000000000001
	}
	return math.Float64bits(f)
}

// normal takes out of a text what differs between two processes for no reason
// of the code's: its temporary directory, also as part of a path that is cut or escaped, the test binary's name, heap
// addresses, names of function literals, and the lines at which the tested code stands in its files, which
// errors with a stack trace tell.
func normal(s string) string {
	// Most texts name no file.
	path := strings.IndexByte(s, '/') >= 0
	if path && tmpdir != "" && strings.Contains(s, tmpdir) {
		s = strings.ReplaceAll(s, tmpdir, "$TMPDIR")
	}
	if tmpname != "" && len(s) >= len(tmpname) && strings.Contains(s, tmpname) {
		s = strings.ReplaceAll(s, tmpname, "$TMPNAME")
	}
	if program != "" && len(s) >= len(program) && strings.Contains(s, program) {
		s = strings.ReplaceAll(s, program, "$PROGRAM")
	}
	if path && strings.Contains(s, stackFrame) {
		s = maskStacks(s)
	}
	if path && strings.Contains(s, goLine) && (strings.Contains(s, layout) || strings.Contains(s, versioned)) {
		s = maskLines(s)
	}
	if path && strings.Contains(s, goLineJSON) && strings.Contains(s, layout) {
		s = maskAfter(s, goLineJSON, "0123456789")
	}
	if i := strings.Index(s, closure); i >= 0 {
		s = maskClosures(s, i)
	}
	if i := strings.Index(s, monotonic); i >= 0 {
		s = maskMonotonic(s, i)
	}
	whole := s
	if functionsGiven.Load() {
		s = maskCode(s)
	}
	if i := strings.Index(s, "0x"); i >= 0 {
		s = maskAddresses(s, i)
	}
	if i := strings.Index(s, "%!"); i >= 0 {
		s = maskVerbs(s, i)
	}
	if i := strings.Index(s, "82"); i >= 0 && len(s)-i >= decimalDigits {
		s = maskDecimals(s, i)
	}
	if len(s) != len(whole) || s != whole {
		addresses.Add(1)
	}
	return s
}

// addresses counts the texts that an address was masked in.
var addresses atomic.Uint64

const (
	layout = "/isodelta-" // begins the name of the folder that both versions are laid out in
	goLine = ".go:"
	// goLineJSON stands between the name of a file and a line where package log/slog tells its caller in JSON.
	goLineJSON = `.go","line":`
	// versioned stands between a module's path and its version in names of its files.
	versioned = "@v"
)

// maskLines replaces line numbers, and the offset that a stack trace gives behind
// them, after names of files that isodelta laid out, and of files in the module cache:
// there the version goes, too, which an upgrade of the module changes.
func maskLines(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, goLine)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		from := strings.LastIndexAny(s[:i], " \t\n\"'(") + 1
		name := s[from:i]
		i += len(goLine)
		before, file, cached := cutVersion(name)
		if cached {
			b.WriteString(s[:from] + before + "@VERSION/" + file + goLine)
		} else {
			b.WriteString(s[:i])
		}
		s = s[i:]
		if !cached && !strings.Contains(name, layout) {
			continue
		}
		rest := strings.TrimLeft(s, "0123456789")
		if len(rest) < len(s) {
			b.WriteString("LINE")
		}
		if offset, ok := strings.CutPrefix(rest, " +0x"); ok {
			rest = strings.TrimLeft(offset, "0123456789abcdef")
		}
		s = rest
	}
}

// cutVersion cuts the name of a file in the module cache around the module's version.
func cutVersion(name string) (before, file string, ok bool) {
	before, rest, ok := strings.Cut(name, versioned)
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
		return "", "", false
	}
	_, file, ok = strings.Cut(rest, "/")
	return before, file, ok
}

// maskAddresses replaces what look like addresses: of the heap, 0xc0 followed
// by eight hexadecimal digits, of what the system has mapped, 0x7f followed by ten, and of the program itself, which is mapped from
// 0x400000 on; all with zeros before them, too, where these make sixteen digits. The heap of a run time that is not the seeded one
// begins somewhere else in each process.
func maskAddresses(s string, from int) string {
	const heapDigits, mappedDigits, programDigits, padded = 10, 12, 6, 16
	const lowest, highest = 0x400000, 0x4000000
	var b strings.Builder
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		if !strings.HasPrefix(s[i:], "0x") {
			b.WriteByte(s[i])
			i++
			continue
		}
		n, value := 0, uint64(0)
		for i+2+n < len(s) && isHex(s[i+2+n]) && n <= padded && !strings.HasPrefix(s[i+2+n:], "0x") {
			value = value<<4 | hexDigit(s[i+2+n])
			n++
		}
		heap := n == heapDigits && s[i+2] == 'c' && s[i+3] == '0' || n >= heapDigits && ownHeap.low <= value && value < ownHeap.high
		mapped := n == mappedDigits && value>>40 == 0x7f
		program := (n == programDigits || n == programDigits+1) && s[i+2] != '0' && value >= lowest && value < highest
		if n == padded {
			heap, mapped, program = heap || value>>32 == 0xc0, value>>40 == 0x7f, value >= lowest && value < highest
		}
		if heap || mapped || program {
			b.WriteString("0xADDRESS")
			i += 2 + n
			continue
		}
		b.WriteString("0x")
		i += 2
	}
	return b.String()
}

// ownHeap is where the heap of this process is: round about what was allocated first.
var ownHeap = func() (at struct{ low, high uint64 }) {
	const before, behind = 1 << 30, 16 << 30
	at.low = uint64(reflect.ValueOf(make([]byte, 64+len(os.Args))).Pointer()) - before
	at.high = at.low + before + behind
	return at
}()

// maskVerbs replaces what package fmt writes of a pointer or function for which a verb is not meant, from
// a place on: %!d(pkg.Func=7686a0), an address without 0x before it. Numbers that are written so
// have few digits, or are no address.
func maskVerbs(s string, from int) string {
	var b strings.Builder
	b.WriteString(s[:from])
	s = s[from:]
	for {
		i := strings.Index(s, "%!")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
		at := strings.IndexAny(s, "=)%") + 1
		if at == 0 || s[at-1] != '=' {
			continue
		}
		end := at
		for end < len(s) && isHex(s[end]) {
			end++
		}
		b.WriteString(s[:at])
		if digits := end - at; digits >= 6 && digits <= 12 && end < len(s) && s[end] == ')' {
			b.WriteString("ADDRESS")
		} else {
			b.WriteString(s[at:end])
		}
		s = s[end:]
	}
}

func hexDigit(c byte) uint64 {
	if c >= 'a' {
		return uint64(c-'a') + 10
	}
	return uint64(c - '0')
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
}
