package calls

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Shrink looks for a smaller sequence that still shows the difference. still
// says of each sequence of a batch, up to the first that does, whether it does; p itself does, or is given
// back as it is. At most budget sequences are asked about. With an error of
// still comes the smallest sequence found before it.
//
// What is tried: leaving out steps, with those that need them or with another
// value in their place, and simpler literals, in one place or in all places where arguments
// are the same. Nil is not simpler than a
// pointer, a map, a function or what an interface holds: it is never brought
// in, because what a function does with nil is seldom a promise.
func Shrink(ctx context.Context, p wire.Sequence, budget int, still func(context.Context, []wire.Sequence) ([]bool, error)) (wire.Sequence, error) {
	return shrinkWith(ctx, p, budget, []simplification{fewerSteps, simplerTogether, simplerLiterals}, still)
}

// shrinkSteps is Shrink that leaves out steps, and keeps what the others are given.
func shrinkSteps(ctx context.Context, p wire.Sequence, budget int, still func(context.Context, []wire.Sequence) ([]bool, error)) (wire.Sequence, error) {
	return shrinkWith(ctx, p, budget, []simplification{fewerSteps}, still)
}

// shrinkWith is Shrink with some simplifications.
func shrinkWith(ctx context.Context, p wire.Sequence, budget int, by []simplification, still func(context.Context, []wire.Sequence) ([]bool, error)) (wire.Sequence, error) {
	s := shrinker{by: by, asked: map[string]bool{string(p.Encode(nil)): true}}
	// Where few may be asked about each takes long, and there is to be a look at the time.
	atOnce := min(max(1, budget/leastBatches), maxBatch)
	for budget > 0 {
		batch := s.batch(p, min(budget, atOnce))
		if len(batch) == 0 {
			break
		}
		budget -= len(batch)
		if err := ctx.Err(); err != nil {
			return p, err
		}
		holds, err := still(ctx, batch)
		if err != nil {
			return p, err
		}
		// The batch is in order of size.
		if i := slices.Index(holds[:min(len(holds), len(batch))], true); i >= 0 {
			p = batch[i]
		}
	}
	return p, nil
}

const (
	maxBatch      = 64
	leastBatches  = 12
	maxCandidates = 4000 // made of one sequence
	maxParts      = 64   // into which a text or a sequence is cut
)

// A simplification hands add sequences that p can be made into, until add reports that there are enough.
type simplification func(p wire.Sequence, add func(wire.Sequence) bool)

type shrinker struct {
	by    []simplification
	asked map[string]bool
	list  []candidate
}

type candidate struct {
	p         wire.Sequence
	size      int
	magnitude float64
	key       string
}

// batch is the smallest n sequences that p can be made into and that have not
// been asked about.
func (s *shrinker) batch(p wire.Sequence, n int) []wire.Sequence {
	s.list = s.list[:0]
	most, largest := p.Size(), p.Magnitude()
	add := func(q wire.Sequence) bool {
		if len(q) > 0 && len(s.list) < maxCandidates {
			c := candidate{p: q, size: q.Size(), magnitude: q.Magnitude()}
			if c.size < most || c.size == most && c.magnitude < largest {
				c.key = string(q.Encode(nil))
				if !s.asked[c.key] {
					s.list = append(s.list, c)
				}
			}
		}
		return len(s.list) < maxCandidates
	}
	for _, simplify := range s.by {
		simplify(p, add)
	}
	slices.SortStableFunc(s.list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.magnitude, b.magnitude), strings.Compare(a.key, b.key))
	})
	var out []wire.Sequence
	for _, c := range s.list {
		if len(out) == n {
			break
		}
		if !s.asked[c.key] {
			s.asked[c.key] = true
			out = append(out, c.p)
		}
	}
	return out
}

// fewerSteps leaves out steps.
func fewerSteps(p wire.Sequence, add func(wire.Sequence) bool) {
	n := len(p)
	for i := range p {
		// One step with what it needs, in the end or by itself.
		q, _ := p.Slice(i)
		add(q)
		if i < n-1 {
			q, _ = p.Slice(i, n-1)
			add(q)
		}
	}
	for size := n / 2; size >= 1; size /= 2 {
		for from := 0; from < n; from += size {
			drop := make([]bool, n)
			for i := from; i < min(from+size, n); i++ {
				drop[i] = true
			}
			add(without(p, drop))
		}
	}
	for i := range p {
		for _, stand := range standIns(p, i) {
			q := p.Clone()
			changed := false
			q.Walk(func(_ int, l *wire.Lit) {
				if l.Form == wire.Ref && int(l.N) == i {
					*l, changed = stand(*l), true
				}
			})
			if changed {
				drop := make([]bool, n)
				drop[i] = true
				add(without(q, drop))
			}
		}
	}
}

// standIns are what can take the place of a step's results: the literal of a
// let, a value that the step was given, the results of an earlier call of the
// same operation.
func standIns(p wire.Sequence, i int) []func(wire.Lit) wire.Lit {
	var out []func(wire.Lit) wire.Lit
	always := func(l wire.Lit) {
		out = append(out, func(wire.Lit) wire.Lit { return l })
	}
	s := p[i]
	if s.Op == wire.OpLet && len(s.Args) == 1 && s.Args[0].Form == wire.Dynamic && len(s.Args[0].E) == 1 {
		if s.Args[0].E[0].Form != wire.Zero { // else nil would be given where it is of a type now
			always(s.Args[0].E[0])
		}
		always(s.Args[0])
	}
	(wire.Sequence{s}).Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Ref {
			always(*l)
		}
	})
	for j := range i {
		if p[j].Op == s.Op && s.Op != wire.OpLet {
			out = append(out, func(l wire.Lit) wire.Lit { return wire.RefTo(j, l.U) })
		}
	}
	return out
}

// without leaves out steps and those that refer to them.
func without(p wire.Sequence, drop []bool) wire.Sequence {
	drop = slices.Clone(drop)
	at := make([]int, len(p))
	var q wire.Sequence
	for i := range p {
		(p[i : i+1]).Walk(func(_ int, l *wire.Lit) {
			if l.Form == wire.Ref && (l.N < 0 || int(l.N) >= i || drop[l.N]) {
				drop[i] = true
			}
		})
		if !drop[i] {
			at[i] = len(q)
			q = append(q, p[i])
		}
	}
	q = q.Clone()
	q.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Ref {
			l.N = int64(at[l.N])
		}
	})
	return q
}

// simplerLiterals puts something simpler into each place.
func simplerLiterals(p wire.Sequence, add func(wire.Sequence) bool) {
	for i := range p {
		for j := range p[i].Args {
			let := p[i].Op == wire.OpLet
			more := variants(p[i].Args[j], let, func(l wire.Lit) bool {
				q := p.Clone()
				q[i].Args[j] = l
				return add(q)
			})
			if !more {
				return
			}
		}
	}
}

// simplerTogether puts something simpler into all places at once where arguments are the same
// text or number: a key is of use only if it stays that.
func simplerTogether(p wire.Sequence, add func(wire.Sequence) bool) {
	same := func(a, b wire.Lit) bool { return a.Form == b.Form && a.N == b.N && a.S == b.S }
	var known []wire.Lit
	for i := range p {
		for _, l := range p[i].Args {
			if l.Form != wire.Text && l.Form != wire.Int && l.Form != wire.Uint || slices.ContainsFunc(known, func(o wire.Lit) bool { return same(l, o) }) {
				continue
			}
			known = append(known, l)
			for _, v := range simpler(l, false) {
				q, places := p.Clone(), 0
				for _, step := range q {
					for k := range step.Args {
						if same(step.Args[k], l) {
							step.Args[k] = v
							places++
						}
					}
				}
				if places < 2 {
					break
				}
				if !add(q) {
					return
				}
			}
		}
	}
}

// variants hands yield the literals that differ from l in one place, where
// something simpler stands, until yield has enough, and reports whether it wants
// more. fixed says that l's own type must stay, as in a let.
func variants(l wire.Lit, fixed bool, yield func(wire.Lit) bool) bool {
	if l.Form == wire.Hidden {
		return true
	}
	for _, v := range simpler(l, fixed) {
		if !yield(v) {
			return false
		}
	}
	for i := range l.E {
		if i == 0 && l.Form == wire.Special && (l.S == wire.SpecialBack || l.S == wire.SpecialCalling || l.S == wire.SpecialSetting || l.S == wire.SpecialPanic || l.S == wire.SpecialNamed) {
			continue // the name of what is called, and what tells a panic of ours from others
		}
		inside := func(e wire.Lit) bool {
			c := l
			c.E = slices.Clone(l.E)
			c.E[i] = e
			return yield(c)
		}
		if l.Form == wire.Struct && mayBeZero(l.E[i].Form) && !inside(wire.Lit{}) {
			return false
		}
		if isReply(l) && l.E[i].Form == wire.Text {
			for _, s := range simplerReplies(l.E[i].S) {
				if !inside(wire.Lit{Form: wire.Text, S: s}) {
					return false
				}
			}
			continue
		}
		if !variants(l.E[i], false, inside) {
			return false
		}
	}
	return true
}

// mayBeZero reports whether a field with such a literal may be left out: it does
// not become a nil that was none.
func mayBeZero(f wire.Form) bool {
	switch f {
	case wire.Bool, wire.Int, wire.Uint, wire.Float, wire.Complex, wire.Text, wire.Seq, wire.Struct:
		return true
	}
	return false
}

// simpler are literals that can stand for l as a whole.
func simpler(l wire.Lit, fixed bool) []wire.Lit {
	switch l.Form {
	case wire.Bool:
		return []wire.Lit{{Form: wire.Bool}}
	case wire.Int, wire.Uint:
		return numbers(l)
	case wire.Float:
		return floats(l)
	case wire.Text:
		var out []wire.Lit
		for _, s := range texts(l.S) {
			out = append(out, wire.Lit{Form: wire.Text, S: s})
		}
		return out
	case wire.Seq:
		return parts(l, 1)
	case wire.Map:
		return parts(l, 2)
	case wire.Dynamic:
		if !fixed {
			return dynamics(l)
		}
	case wire.Special:
		return specials(l)
	}
	return nil
}

func numbers(l wire.Lit) []wire.Lit {
	var out []wire.Lit
	n := l.N
	list := []int64{0, 1, 2, 3, 'a', -1, n / 16, n / 256, -n, n - 1, n + 1}
	for k := range 12 {
		list = append(list, n-n>>(k+1))
	}
	for k := 4; k < 63; k++ {
		if p := int64(1) << k; p < n || l.Form == wire.Uint && n < 0 {
			list = append(list, p, p-1)
		}
	}
	// A large number may be a duration: whole ones are read more easily, and waits have to be whole.
	for _, unit := range []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour} {
		if u := int64(unit); u < n {
			list = append(list, u, 2*u, n/2/u*u, n/16/u*u)
		}
	}
	for _, x := range list {
		if l.Form == wire.Uint && x < 0 && n >= 0 {
			continue
		}
		out = append(out, wire.Lit{Form: l.Form, N: x})
	}
	return out
}

func floats(l wire.Lit) []wire.Lit {
	f := math.Float64frombits(uint64(l.N))
	var out []wire.Lit
	for _, x := range []float64{0, 1, 2, -1, 0.5, math.Trunc(f), math.Trunc(f / 2), math.Trunc(f / 16), -f, math.Round(f*10) / 10, 1e6} {
		if x == x && !math.IsInf(x, 0) && !(x == 0 && math.Signbit(x)) {
			out = append(out, wire.FloatLit(x))
		}
	}
	return out
}

// texts are shorter or plainer texts.
func texts(s string) []string {
	if s == "" {
		return nil
	}
	out := []string{"", "a", "0"}
	cuts := []int{0}
	for i := range s {
		if i > 0 {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(s))
	runes := len(cuts) - 1
	for size := runes / 2; size >= 1 && runes/size <= maxParts; size /= 2 {
		for from := 0; from < runes; from += size {
			to := min(from+size, runes)
			out = append(out, s[:cuts[from]]+s[cuts[to]:])
			if runes/size <= 4 {
				out = append(out, s[cuts[from]:cuts[to]])
			}
		}
	}
	out = append(out, mapped(s, func(r rune, ok bool) rune {
		if !ok || r >= utf8.RuneSelf || r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return 'a'
		}
		return r
	}), mapped(s, func(r rune, ok bool) rune {
		switch {
		case !ok:
			return r
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return 'a'
		case '0' <= r && r <= '9':
			return '0'
		}
		return r
	}), mapped(s, func(r rune, ok bool) rune {
		if ok && 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}))
	for i := 0; i < runes && runes <= maxParts; i++ {
		for _, c := range []string{"a", "0", " ", strings.Repeat("a", cuts[i+1]-cuts[i])} {
			out = append(out, s[:cuts[i]]+c+s[cuts[i+1]:])
		}
	}
	return out
}

// mapped maps the characters of a text; bytes that are none stay unless f has
// something for them.
func mapped(s string, f func(r rune, ok bool) rune) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		ok := r != utf8.RuneError || n > 1
		if m := f(r, ok); ok || m != r {
			b.WriteRune(m)
		} else {
			b.WriteByte(s[i])
		}
		i += n
	}
	return b.String()
}

// parts leaves out elements, by groups of unit. What a special value needs is
// found missing by whoever builds it.
func parts(l wire.Lit, unit int) []wire.Lit {
	var out []wire.Lit
	n := len(l.E) / unit
	for size := n; size >= 1; size /= 2 {
		if n/size > maxParts {
			break
		}
		for from := 0; from < n; from += size {
			c := l
			c.E = slices.Concat(l.E[:from*unit], l.E[min(from+size, n)*unit:])
			out = append(out, c)
		}
	}
	return out
}

// dynamics are plain values for an interface.
func dynamics(l wire.Lit) []wire.Lit {
	var out []wire.Lit
	for _, v := range []struct {
		t reflect.Type
		l wire.Lit
	}{
		{reflect.TypeFor[int](), wire.Lit{Form: wire.Int, N: 1}},
		{reflect.TypeFor[string](), wire.Lit{Form: wire.Text, S: "a"}},
		{reflect.TypeFor[bool](), wire.Lit{Form: wire.Bool, N: 1}},
	} {
		if t, ok := wire.BasicType(v.t); ok && t != l.T {
			out = append(out, wire.Lit{Form: wire.Dynamic, T: t, E: []wire.Lit{v.l}})
		}
	}
	return out
}

// specials are plainer readers, contexts, functions, times.
func specials(l wire.Lit) []wire.Lit {
	var out []wire.Lit
	as := func(name string, e []wire.Lit) {
		out = append(out, wire.Lit{Form: wire.Special, S: name, E: e})
	}
	if plainer := wire.PlainerSpecial(l.S); plainer != "" {
		as(plainer, l.E)
	}
	if l.S == wire.SpecialWrapped && len(l.E) == 1 {
		out = append(out, l.E[0])
	}
	if n := len(l.E) - 2; l.S == wire.SpecialTelling && n >= 0 {
		as(wire.SpecialFunc, l.E[:n])
	}
	if l.S == wire.SpecialPanic {
		as(wire.SpecialFunc, nil)
	}
	if (l.S == wire.SpecialCalling || l.S == wire.SpecialSetting) && len(l.E) >= 2 {
		as(wire.SpecialFunc, l.E[2:])
	}
	if l.S == wire.SpecialBack && len(l.E) >= 3 {
		as(wire.SpecialFunc, l.E[3:])
	}
	if len(l.E) == 1 && l.E[0].Form == wire.Int {
		// A time: whole days, hours, minutes.
		for _, unit := range []int64{86400, 3600, 60} {
			if n := l.E[0].N; n%unit != 0 {
				as(l.S, []wire.Lit{{Form: wire.Int, N: n - n%unit}})
			}
		}
	}
	if l.S == wire.SpecialRequest && len(l.E) > wire.RequestHeader {
		// Header fields go as they came, the name with its value.
		for _, c := range parts(wire.Lit{E: l.E[wire.RequestHeader:]}, 2) {
			as(l.S, slices.Concat(l.E[:wire.RequestHeader], c.E))
		}
		return out
	}
	if l.S == wire.SpecialFiles && len(l.E) > 0 {
		for _, c := range parts(wire.Lit{E: l.E[1:]}, 2) {
			as(l.S, slices.Concat(l.E[:1], c.E))
		}
		return out
	}
	if l.S == wire.SpecialPath {
		return append(out, smallerPaths(l)...)
	}
	if l.S == wire.SpecialReplies && len(l.E) > 1 {
		for _, c := range parts(wire.Lit{E: l.E[1:]}, 1) {
			if len(c.E) > 0 {
				as(l.S, slices.Concat(l.E[:1], c.E))
			}
		}
		return out
	}
	return append(out, parts(l, 1)...)
}

// smallerPaths are paths with fewer files, all of which keep that which the path is of.
func smallerPaths(l wire.Lit) []wire.Lit {
	var out []wire.Lit
	for at := 1; at+1 < len(l.E); at += 2 {
		of := 2*l.E[0].N - 1
		if of == int64(at) {
			continue
		}
		less := wire.Lit{Form: l.Form, S: l.S, E: slices.Concat(l.E[:at], l.E[at+2:])}
		if of > int64(at) {
			less.E[0].N--
		}
		out = append(out, less)
	}
	return out
}
