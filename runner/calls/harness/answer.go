//go:build go1.21

package harness

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// answers reports whether a type is that of functions which answer requests, as
// http.HandlerFunc is.
func (r *Registry) answers(t reflect.Type) bool {
	return r.requestType != nil && t.Kind() == reflect.Func && t.NumIn() == 2 && t.NumOut() == 0 && t.In(1) == r.requestType &&
		t.In(0).Kind() == reflect.Interface && t.In(0).PkgPath() == r.requestType.Elem().PkgPath() && t.In(0).Name() == "ResponseWriter"
}

// adapterOf is the number of a type of functions that answer requests and stand for an
// interface, as http.HandlerFunc does; -1 without one.
func (r *Registry) adapterOf(t reflect.Type) int {
	for i, ty := range r.Types {
		if ty.Kind() == reflect.Func && r.answers(ty) && ty.Implements(t) {
			return i
		}
	}
	return -1
}

// An Answer is what a function does with a request.
type Answer struct {
	Status int
	Body   string
	How    Answering
	Name   string // of the header field, or of the function that tells
	Value  string
}

// Answering is a way to answer.
type Answering int

const (
	AnswerStatus Answering = iota // with the status, then the body
	AnswerBody                    // with the body alone, so that the status and the type follow from it
	AnswerAsked                   // with the method and the URL of the request
	AnswerCopy                    // with the body of the request
	AnswerPanic                   // not at all
	AnswerReader                  // with the body, copied from a reader as from a file
	AnswerFlush                   // with the status, unless it is the usual one, and the body twice, the first one flushed
	AnswerField                   // with a header field, the status, unless it is the usual one, and the body
	AnswerTold                    // with what a function tells of the request or of its context, see tellers
	answerings
)

// usualStatus is that of an answer which gives none.
const usualStatus = 200

// StatusFirst reports whether an answer gives its status in front of what it does besides.
func (a Answer) StatusFirst() bool {
	return a.Status != usualStatus && (a.How == AnswerFlush || a.How == AnswerField)
}

// AnswerOf reads the literal of a function that answers requests.
func AnswerOf(l wire.Lit) Answer {
	a := Answer{Status: usualStatus}
	if len(l.E) >= 2 {
		if n := l.E[0].N; n >= 100 && n <= 999 {
			a.Status = int(n)
		}
		a.Body = l.E[1].S
	}
	if len(l.E) > 2 && l.E[2].N > 0 && l.E[2].N < int64(answerings) {
		a.How = Answering(l.E[2].N)
	}
	if len(l.E) > 4 {
		a.Name, a.Value = l.E[3].S, l.E[4].S
	}
	return a
}

// Answers reports whether a literal of type t is a function that answers requests.
func (r *Registry) Answers(l wire.Lit, t reflect.Type) bool {
	return l.Form == wire.Special && l.S == wire.SpecialFunc && r.answers(t) && len(l.E) >= 2
}

// answerFields are header fields that what stands between a handler and its client looks at.
var answerFields = [][2]string{{"Content-Type", "text/html"}, {"Content-Type", "application/json"}, {"Content-Length", "1"},
	{"Content-Encoding", "identity"}, {"Cache-Control", "no-store"}, {"ETag", `"a"`}, {"Location", "/a"}, {"Set-Cookie", "a=b"},
	{"Vary", "Origin"}, {"Access-Control-Allow-Origin", "*"}}

// freshAnswer is a new function that answers requests.
func (b *builder) freshAnswer() wire.Lit {
	r := b.g.r
	status := []int64{200, 200, 200, 201, 204, 404, 500}[r.Intn(7)]
	how := AnswerStatus
	if r.Chance(50) {
		how = Answering(r.Intn(int(answerings)))
	}
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	tellers := b.g.tellers()
	switch {
	case len(tellers) > 0 && r.Chance(answerTold):
		how = AnswerTold
	case how == AnswerTold && len(tellers) == 0:
		how = AnswerStatus
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialFunc, E: []wire.Lit{
		{Form: wire.Int, N: status}, text([]string{"a", "b", "c", ""}[r.Intn(4)]), {Form: wire.Int, N: int64(how)}}}
	switch how {
	case AnswerTold:
		l.E = append(l.E, text(tellers[r.Intn(len(tellers))]), text(""))
	case AnswerField:
		field := answerFields[r.Intn(len(answerFields))]
		if list := b.g.m.answerFields; len(list) > 0 && r.Chance(40) {
			said := list[r.Intn(len(list))]
			if field[0] = said[0]; said[1] != "" {
				field[1] = said[1]
			}
		}
		if s := b.text(spot{-1, -1}); r.Chance(40) {
			field[1] = strings.TrimSpace(s)
			if r.Chance(50) && isFieldName(s) {
				field[0] = s
			}
		}
		l.E = append(l.E, text(field[0]), text(field[1]))
	}
	return l
}

// answerTold is how often, of 100, a handler answers with what a function tells, where there is one.
const answerTold = 25

// tellers names the functions that tell something plain of a request or of its context. What a middleware leaves
// there, as a token or the name of a user, shows in no other way.
func (g *generator) tellers() []string {
	if g.telling == nil {
		g.telling = []string{}
		for i := wire.Builtins; i < g.m.end(); i++ {
			if g.m.tells(&g.m.Ops[i]) {
				g.telling = append(g.telling, g.m.Ops[i].Name)
			}
		}
	}
	return g.telling
}

// tells reports whether an operation is a function that says something of a request, or of its context.
func (r *Registry) tells(op *Operation) bool {
	return says(op) && (op.In[0] == contextType || op.In[0] == r.requestType)
}

// Teller returns the function that an answer tells of the request with; nil for none.
func (r *Registry) Teller(a Answer) *Operation {
	for i := wire.Builtins; a.How == AnswerTold && i < r.end(); i++ {
		if op := &r.Ops[i]; op.Name == a.Name && r.tells(op) {
			return op
		}
	}
	return nil
}

// OfContext reports whether a function that tells of a request is given its context.
func (o *Operation) OfContext() bool { return o.In[0] == contextType }

// needsConnection reports whether a function that the handler of a call is made of answers in
// a way that a recorder does not show as a client sees it. Everything else is recorded: that
// is how people write tests, and it takes less time.
func (b *builder) needsConnection(args []wire.Lit) bool {
	needs := false
	look := func(_ int, l *wire.Lit) {
		if l.Form == wire.Special && l.S == wire.SpecialFunc && len(l.E) > 2 && l.E[0].Form == wire.Int && l.E[1].Form == wire.Text {
			how := AnswerOf(*l).How
			needs = needs || how >= AnswerPanic && how != AnswerTold
		}
	}
	wire.Sequence{{Args: args[:1]}}.Walk(look)
	for todo := refs(args[0], nil); len(todo) > 0; todo = todo[1:] {
		i := todo[0] // of an earlier step than what refers to it
		b.p[i : i+1].Walk(look)
		for _, a := range b.p[i].Args {
			todo = refs(a, todo)
		}
	}
	return needs
}

// answering makes the function that a literal says.
func (m *Machine) answering(l wire.Lit, t reflect.Type) reflect.Value {
	a := AnswerOf(l)
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		w, _ := args[0].Interface().(io.Writer)
		request := args[1].Elem()
		writeStatus := func() {
			args[0].MethodByName("WriteHeader").Call([]reflect.Value{reflect.ValueOf(a.Status)})
		}
		switch a.How {
		case AnswerAsked:
			url := request.FieldByName("URL").MethodByName("String").Call(nil)[0].String()
			_, _ = io.WriteString(w, request.FieldByName("Method").String()+" "+url)
		case AnswerCopy:
			_, _ = io.Copy(w, request.FieldByName("Body").Interface().(io.Reader))
		case AnswerReader:
			_, _ = io.CopyN(w, strings.NewReader(a.Body), int64(len(a.Body)))
		case AnswerFlush:
			if a.StatusFirst() {
				writeStatus()
			}
			_, _ = io.WriteString(w, a.Body)
			if f, ok := w.(interface{ Flush() }); ok {
				f.Flush()
			}
			_, _ = io.WriteString(w, a.Body)
		case AnswerField:
			header := args[0].MethodByName("Header").Call(nil)[0]
			header.MethodByName("Set").Call([]reflect.Value{reflect.ValueOf(a.Name), reflect.ValueOf(a.Value)})
			if a.StatusFirst() {
				writeStatus()
			}
			_, _ = io.WriteString(w, a.Body)
		case AnswerTold:
			teller := m.Teller(a)
			if teller == nil {
				return nil
			}
			of := args[1]
			if teller.OfContext() {
				of = of.MethodByName("Context").Call(nil)[0]
			}
			_, _ = fmt.Fprint(w, teller.Fn.Call([]reflect.Value{of})[0].Interface())
		case AnswerPanic:
			panic(a.Body)
		case AnswerBody:
			_, _ = io.WriteString(w, a.Body)
		default:
			writeStatus()
			if a.Body != "" {
				_, _ = io.WriteString(w, a.Body)
			}
		}
		return nil
	})
}
