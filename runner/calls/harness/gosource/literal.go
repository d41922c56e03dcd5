//go:build go1.21

package gosource

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// exprContext says what the place of an expression tells about its type.
type exprContext int

const (
	typed   exprContext = iota // the type is given: an untyped constant or nil will do
	free                       // nothing: the expression must have the type by itself
	element                    // in a composite literal, where a composite's type is left out
)

// maxLiteral bounds one literal, in bytes of source.
const maxLiteral = 16 << 10

// expr writes l down where a value of type t is wanted.
func (w *writer) expr(l wire.Lit, t reflect.Type, c exprContext) string {
	switch l.Form {
	case wire.Hole:
		return w.fail("a hole in the sequence")
	case wire.Ref:
		return w.reference(l, t, c)
	case wire.Special:
		return w.specialExpr(l, t, c)
	case wire.Dynamic:
		of := w.typeNumber(l.T)
		if t.Kind() != reflect.Interface || of == nil || len(l.E) != 1 {
			return w.fail("a value of a type that is not registered")
		}
		e := w.expr(l.E[0], of, free)
		if c == free {
			return w.convert(t, e)
		}
		return e
	case wire.Zero:
		return w.zero(t, c)
	}
	if constantKind(t.Kind()) {
		v, err := w.Build(l, t)
		if err != nil {
			return w.fail("a %s %v", t, err)
		}
		return w.scalar(v, c)
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return w.elements(l, t, c)
	case reflect.Map:
		return w.mapping(l, t, c)
	case reflect.Struct:
		return w.structure(l, t, c)
	case reflect.Pointer:
		return w.pointer(l, t, c)
	}
	return w.fail("a %s cannot be written down", t)
}

// typeNumber is a registered type, or one that only this writer knows.
func (w *writer) typeNumber(n int) reflect.Type {
	switch {
	case n < 0:
		return nil
	case n < len(w.Types):
		return w.Types[n]
	case n-len(w.Types) < len(w.extra):
		return w.extra[n-len(w.Types)]
	}
	return nil
}

func (w *writer) convert(t reflect.Type, e string) string {
	name := w.typ(t)
	if t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Func || t.Kind() == reflect.Chan) {
		name = "(" + name + ")"
	}
	return name + "(" + e + ")"
}

// constantKind reports whether values of the kind are numbers, texts or truths.
func constantKind(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

func (w *writer) zero(t reflect.Type, c exprContext) string {
	switch {
	case constantKind(t.Kind()):
		return w.scalar(reflect.Zero(t), c)
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Array:
		return w.composite(t, "", c)
	case c == free:
		return w.convert(t, "nil")
	}
	return "nil"
}

// composite writes a composite literal of type t, whose elements are given.
func (w *writer) composite(t reflect.Type, elements string, c exprContext) string {
	if len(elements) > maxLiteral {
		return w.fail("a value of %d bytes is too large to write down", len(elements))
	}
	if c == element {
		return "{" + elements + "}"
	}
	return w.typ(t) + "{" + elements + "}"
}

// scalar writes a number, a text or a truth.
func (w *writer) scalar(v reflect.Value, c exprContext) string {
	t := v.Type()
	for _, k := range w.Constants[t] {
		if k.Value.Interface() == v.Interface() && (exportedName(k.Expr) || k.Package == w.Package) {
			return w.qualified(k.Package, "", k.Expr) + k.Expr
		}
	}
	e, natural := w.basic(v)
	if t != natural && (c == free || fixedType(t, e)) {
		return w.convert(t, e)
	}
	return e
}

// fixedType reports whether an expression that basic wrote is no untyped constant,
// so that it has to be converted to a type of the user's.
func fixedType(t reflect.Type, e string) bool {
	switch t.Kind() {
	case reflect.String, reflect.Complex64, reflect.Complex128:
		return t.PkgPath() != "" && strings.HasSuffix(e, ")")
	}
	return false
}

var (
	boolType    = reflect.TypeOf(false)
	intType     = reflect.TypeOf(0)
	floatType   = reflect.TypeOf(0.0)
	complexType = reflect.TypeOf(0i)
	stringType  = reflect.TypeOf("")
	spanType    = reflect.TypeOf(time.Duration(0))
)

// basic writes a value of a basic kind, and tells the type that the expression
// has if nothing around it says otherwise.
func (w *writer) basic(v reflect.Value) (string, reflect.Type) {
	t := v.Type()
	switch k := v.Kind(); k {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), boolType
	case reflect.String:
		return w.text(v.String()), stringType
	case reflect.Float32, reflect.Float64:
		return w.float(v)
	case reflect.Complex64, reflect.Complex128:
		part := func(f float64) string {
			e, of := w.float(reflect.ValueOf(f))
			if of != floatType {
				return w.convert(floatType, e)
			}
			return e
		}
		e := "complex(" + part(real(v.Complex())) + ", " + part(imag(v.Complex())) + ")"
		if k == reflect.Complex64 {
			return "complex64(" + e + ")", reflect.TypeOf(complex64(0))
		}
		return e, complexType
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return w.unsigned(v), intType
	}
	if t == spanType {
		return w.span(time.Duration(v.Int())), spanType
	}
	return w.signed(v), intType
}

func (w *writer) signed(v reflect.Value) string {
	n := v.Int()
	switch k := v.Kind(); {
	case v.Type() == runeType && n > ' ' && n <= unicode.MaxRune && unicode.IsPrint(rune(n)):
		return strconv.QuoteRune(rune(n))
	case n == math.MaxInt64 && k == reflect.Int64:
		return w.std("math") + "MaxInt64"
	case n == math.MinInt64 && k == reflect.Int64:
		return w.std("math") + "MinInt64"
	case n == math.MaxInt && k == reflect.Int:
		return w.std("math") + "MaxInt"
	case n == math.MinInt && k == reflect.Int:
		return w.std("math") + "MinInt"
	case n == math.MaxInt32:
		return w.std("math") + "MaxInt32"
	case n == math.MinInt32:
		return w.std("math") + "MinInt32"
	}
	return strconv.FormatInt(n, 10)
}

func (w *writer) unsigned(v reflect.Value) string {
	n := v.Uint()
	switch k := v.Kind(); {
	case v.Type() == byteType && n > ' ' && n < 0x7f:
		return strconv.QuoteRune(rune(n))
	case n == math.MaxUint64 && k == reflect.Uint64:
		return w.std("math") + "MaxUint64"
	case n == math.MaxUint && k == reflect.Uint:
		return w.std("math") + "MaxUint"
	case n == math.MaxUint32:
		return w.std("math") + "MaxUint32"
	}
	return strconv.FormatUint(n, 10)
}

var byteType = reflect.TypeOf(byte(0))

// span writes a duration in the largest unit that divides it.
func (w *writer) span(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"},
		{time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}, {1, "Nanosecond"}} {
		if d == 0 {
			break
		}
		if d == u.unit {
			return w.std("time") + u.name
		}
		if d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + " * " + w.std("time") + u.name
		}
	}
	return w.convert(spanType, "0")
}

// float writes a number in such a way that reading it gives the same bits, NaN
// apart. The second result is nil where the number's own type has to be said.
func (w *writer) float(v reflect.Value) (string, reflect.Type) {
	f, bits := v.Float(), v.Type().Bits()
	special := ""
	switch {
	case math.IsNaN(f):
		special = "NaN()"
	case math.IsInf(f, 1):
		special = "Inf(1)"
	case math.IsInf(f, -1):
		special = "Inf(-1)"
	case f == 0 && math.Signbit(f):
		special = "Copysign(0, -1)"
	}
	if special != "" {
		special = w.std("math") + special
		if v.Type() == floatType {
			return special, floatType
		}
		return w.convert(v.Type(), special), v.Type()
	}
	if f == math.MaxFloat64 && bits == 64 {
		return w.std("math") + "MaxFloat64", floatType
	}
	if f == math.SmallestNonzeroFloat64 && bits == 64 {
		return w.std("math") + "SmallestNonzeroFloat64", floatType
	}
	e := strconv.FormatFloat(f, 'g', -1, bits)
	if strings.Trim(e, "-0123456789") == "" {
		return e + ".0", floatType
	}
	return e, floatType
}

// text writes a string. One character many times over is shorter as a call.
func (w *writer) text(s string) string {
	if r, n := utf8.DecodeRuneInString(s); len(s) >= 40 && r != utf8.RuneError && s == strings.Repeat(s[:n], len(s)/n) {
		return w.std("strings") + "Repeat(" + strconv.Quote(s[:n]) + ", " + strconv.Itoa(len(s)/n) + ")"
	}
	if len(s) > maxLiteral {
		return w.fail("a text of %d bytes is too large to write down", len(s))
	}
	return quoted(s, false)
}

// quoted writes a string, raw where that reads better or is wanted.
func quoted(s string, raw bool) string {
	if !strings.Contains(s, "`") && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && !unicode.IsPrint(r)
	}) {
		odd := strings.Count(s, `"`) + strings.Count(s, `\`)
		lines := strings.Count(s, "\n")
		blank := strings.Contains(s, " \n") || strings.Contains(s, "\t") || strings.HasSuffix(s, " ")
		if raw || odd >= 2 && lines == 0 && !blank || lines >= 2 && len(s) > 30 && !blank {
			return "`" + s + "`"
		}
	}
	return strconv.Quote(s)
}

func (w *writer) elements(l wire.Lit, t reflect.Type, c exprContext) string {
	bytesOnly := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
	if bytesOnly && l.Form == wire.Text {
		switch n := len(l.S); {
		case n < 8 || printable([]byte(l.S[:1])) || l.S != strings.Repeat(l.S[:1], n):
		case l.S[0] == 0:
			return "make(" + w.typ(t) + ", " + strconv.Itoa(n) + ")"
		case t == reflect.TypeOf([]byte(nil)):
			return w.std("bytes") + "Repeat([]byte{0x" + strconv.FormatUint(uint64(l.S[0]), 16) + "}, " + strconv.Itoa(n) + ")"
		}
		return w.convert(t, w.text(l.S))
	}
	if l.Form != wire.Seq {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	n := len(l.E)
	if t.Kind() == reflect.Array && n > t.Len() {
		n = t.Len()
	}
	if bytesOnly && n > 0 {
		if v, err := w.Build(l, t); err == nil && printable(v.Bytes()) {
			return w.convert(t, w.text(string(v.Bytes())))
		}
	}
	if t.Kind() == reflect.Slice && n > 8 && allZero(l.E) {
		return "make(" + w.typ(t) + ", " + strconv.Itoa(n) + ")"
	}
	if t.Kind() == reflect.Array {
		for n > 0 && l.E[n-1].Form == wire.Zero {
			n--
		}
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = w.expr(l.E[i], t.Elem(), element)
	}
	return w.composite(t, strings.Join(parts, ", "), c)
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

func allZero(ls []wire.Lit) bool {
	for _, l := range ls {
		if l.Form != wire.Zero {
			return false
		}
	}
	return true
}

func (w *writer) mapping(l wire.Lit, t reflect.Type, c exprContext) string {
	if l.Form != wire.Map {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	// The last value of a key wins, and the compiler wants each only once.
	last := map[any]int{}
	keys := make([]any, 0, len(l.E)/2)
	for i := 0; i+1 < len(l.E); i += 2 {
		k, err := w.Build(l.E[i], t.Key())
		if err != nil || !harness.Hashable(k) {
			return w.fail("a key of %s %v", t, harness.ErrInvalid)
		}
		keys = append(keys, k.Interface())
		last[k.Interface()] = i / 2
	}
	var parts []string
	for i, k := range keys {
		if j, ok := last[k]; !ok || j == i { // NaN is never found
			parts = append(parts, w.expr(l.E[2*i], t.Key(), element)+": "+w.expr(l.E[2*i+1], t.Elem(), element))
		}
	}
	return w.composite(t, strings.Join(parts, ", "), c)
}

func (w *writer) structure(l wire.Lit, t reflect.Type, c exprContext) string {
	if l.Form != wire.Struct {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	var parts []string
	for i := 0; i < len(l.E) && i < w.Fields(t); i++ {
		f := t.Field(w.Field(t, i))
		if e := l.E[i]; e.Form == wire.Hidden && len(e.E) == 1 && !f.IsExported() {
			w.member(f.PkgPath)
			parts = append(parts, f.Name+": "+w.expr(e.E[0], f.Type, typed))
			continue
		}
		if !f.IsExported() || w.saysZero(l.E[i], f.Type) {
			continue
		}
		parts = append(parts, f.Name+": "+w.expr(l.E[i], f.Type, typed))
	}
	return w.composite(t, strings.Join(parts, ", "), c)
}

// saysZero reports whether a literal says no more than the zero value of its type.
func (w *writer) saysZero(l wire.Lit, t reflect.Type) bool {
	switch {
	case l.Form == wire.Zero:
		return true
	case constantKind(t.Kind()) && l.Form != wire.Ref:
		v, err := w.Build(l, t)
		return err == nil && v.IsZero() && !negativeZero(v)
	case t.Kind() == reflect.Struct && l.Form == wire.Struct:
		for i := 0; i < len(l.E) && i < w.Fields(t); i++ {
			if !w.saysZero(l.E[i], t.Field(w.Field(t, i)).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// negativeZero reports whether a number is, or has, a zero below zero.
func negativeZero(v reflect.Value) bool {
	switch {
	case v.CanFloat():
		return math.Signbit(v.Float())
	case v.CanComplex():
		return math.Signbit(real(v.Complex())) || math.Signbit(imag(v.Complex()))
	}
	return false
}

func (w *writer) pointer(l wire.Lit, t reflect.Type, c exprContext) string {
	if l.Form != wire.Pointer || len(l.E) != 1 {
		return w.fail("a %s %v", t, harness.ErrInvalid)
	}
	e, to := l.E[0], t.Elem()
	text := ""
	switch {
	case e.Form == wire.Zero && to.Kind() != reflect.Struct && to.Kind() != reflect.Array:
		text = "new(" + w.typ(to) + ")"
	case e.Form == wire.Ref:
		v, ok := w.Ref(e)
		if !ok {
			return w.fail("a reference to nothing")
		}
		if v.Type() == to {
			text = "&" + w.define(nameFor(to), w.results[e.N][e.U])
		} else {
			text = "&" + w.place(e, to)
		}
	case e.Form == wire.Seq && to.Kind() == reflect.Slice && len(e.E) > 8 && allZero(e.E), e.Form == wire.Special:
		text = "&" + w.place(e, to)
	case e.Form == wire.Struct, e.Form == wire.Seq, e.Form == wire.Map, e.Form == wire.Zero:
		if c == element && t.Name() == "" {
			return w.expr(e, to, element)
		}
		text = w.expr(e, to, free)
		if !strings.HasSuffix(text, "}") {
			text = w.define(nameFor(to), text)
		}
		text = "&" + text
	default:
		text = "&" + w.place(e, to)
	}
	if c == free && t.Name() != "" {
		return w.convert(t, text)
	}
	return text
}

// litOf writes a value down as a literal, to be looked at again. It fails
// where there is something that a literal outside the package cannot say.
func (w *writer) litOf(v reflect.Value, depth int) (wire.Lit, bool) {
	if depth > 12 || !v.IsValid() {
		return wire.Lit{}, false
	}
	switch k := v.Kind(); k {
	case reflect.Bool:
		l := wire.Lit{Form: wire.Bool}
		if v.Bool() {
			l.N = 1
		}
		return l, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wire.Lit{Form: wire.Int, N: v.Int()}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return wire.Lit{Form: wire.Uint, N: int64(v.Uint())}, true
	case reflect.Float32, reflect.Float64:
		// What is not equal to itself is no literal to compare with.
		return wire.FloatLit(v.Float()), !math.IsNaN(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return wire.Lit{Form: wire.Complex, E: []wire.Lit{wire.FloatLit(real(c)), wire.FloatLit(imag(c))}}, !math.IsNaN(real(c)) && !math.IsNaN(imag(c))
	case reflect.String:
		return wire.Lit{Form: wire.Text, S: v.String()}, true
	case reflect.Slice, reflect.Array:
		if k == reflect.Slice && v.IsNil() {
			return wire.Lit{}, true
		}
		return w.elementsOf(v, depth)
	case reflect.Map:
		return w.entriesOf(v, depth)
	case reflect.Struct:
		return w.fieldsOf(v, depth)
	case reflect.Pointer:
		if v.IsNil() {
			return wire.Lit{}, true
		}
		e, ok := w.litOf(v.Elem(), depth+1)
		return wire.Lit{Form: wire.Pointer, E: []wire.Lit{e}}, ok
	case reflect.Interface:
		if v.IsNil() {
			return wire.Lit{}, true
		}
		e, ok := w.litOf(v.Elem(), depth+1)
		return wire.Lit{Form: wire.Dynamic, T: w.numberOf(v.Elem().Type()), E: []wire.Lit{e}}, ok
	case reflect.Func, reflect.Chan:
		return wire.Lit{}, v.IsNil()
	}
	return wire.Lit{}, false
}

func (w *writer) numberOf(t reflect.Type) int {
	if n, ok := w.TypeNumber(t); ok {
		return n
	}
	w.extra = append(w.extra, t)
	return len(w.Types) + len(w.extra) - 1
}

const maxLiteralElements = 64

func (w *writer) elementsOf(v reflect.Value, depth int) (wire.Lit, bool) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return wire.Lit{Form: wire.Text, S: string(v.Bytes())}, true
	}
	l := wire.Lit{Form: wire.Seq}
	if v.Len() > maxLiteralElements {
		return l, false
	}
	for i := 0; i < v.Len(); i++ {
		e, ok := w.litOf(v.Index(i), depth+1)
		if !ok {
			return l, false
		}
		l.E = append(l.E, e)
	}
	return l, true
}

func (w *writer) entriesOf(v reflect.Value, depth int) (wire.Lit, bool) {
	if v.IsNil() {
		return wire.Lit{}, true
	}
	l := wire.Lit{Form: wire.Map}
	if v.Len() > maxLiteralElements {
		return l, false
	}
	for _, k := range sortedKeys(v) {
		x, ok := w.litOf(k, depth+1)
		if !ok || addressed(k, 1, false) {
			return l, false
		}
		y, ok := w.litOf(v.MapIndex(k), depth+1)
		if !ok {
			return l, false
		}
		l.E = append(l.E, x, y)
	}
	return l, true
}

func (w *writer) fieldsOf(v reflect.Value, depth int) (wire.Lit, bool) {
	t := v.Type()
	l := wire.Lit{Form: wire.Struct}
	if w.Partial(t) {
		return l, false // a literal could not name all fields
	}
	for i := 0; i < t.NumField(); i++ {
		if !t.Field(i).IsExported() {
			// Hidden state must not count, and DeepEqual would count it.
			return l, false
		}
		e, ok := w.litOf(v.Field(i), depth+1)
		if !ok {
			return l, false
		}
		l.E = append(l.E, e)
	}
	return l, true
}
