//go:build go1.21

package harness

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

var (
	bytesBuffer  = reflect.TypeOf((*bytes.Buffer)(nil))
	readerType   = reflect.TypeOf((*io.Reader)(nil)).Elem()
	writerType   = reflect.TypeOf((*io.Writer)(nil)).Elem()
	contextType  = reflect.TypeOf((*context.Context)(nil)).Elem()
	timeType     = reflect.TypeOf(time.Time{})
	locationType = reflect.TypeOf((*time.Location)(nil))
)

// Wrapping is the format of an error that is another one beneath: who compares errors with ==,
// or asserts their type, does not see that.
const Wrapping = "failed: %w"

var ErrRead = errors.New("read failed")

// Special makes what a special literal says, where a value of type t is wanted.
func (m *Machine) Special(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	text, n := "", int64(0)
	if len(l.E) > 0 {
		text, n = l.E[0].S, l.E[0].N
	}
	switch l.S {
	case wire.SpecialReader:
		return reflect.ValueOf(strings.NewReader(text)), nil
	case wire.SpecialOneByte, wire.SpecialShort, wire.SpecialFailing, wire.SpecialDataEOF:
		return reflect.ValueOf(&oddReader{text: text, kind: l.S}), nil
	case wire.SpecialBuffer:
		return reflect.ValueOf(bytes.NewBufferString(text)), nil
	case wire.SpecialFull:
		return reflect.ValueOf((*os.File)(nil)), nil
	case wire.SpecialLateFull:
		return reflect.ValueOf(bufio.NewWriterSize((*os.File)(nil), lateAfter(n))), nil
	case wire.SpecialContext:
		return reflect.ValueOf(context.Background()), nil
	case wire.SpecialCanceled:
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return reflect.ValueOf(ctx), nil
	case wire.SpecialTimeout:
		ctx, cancel := context.WithTimeout(context.Background(), TimeoutOf(n))
		m.endings = append(m.endings, cancel)
		return reflect.ValueOf(ctx), nil
	case wire.SpecialError:
		return reflect.ValueOf(errors.New(text)), nil
	case wire.SpecialWrapped:
		if len(l.E) != 1 {
			return reflect.Value{}, ErrInvalid
		}
		inner, err := m.Build(l.E[0], errorType)
		if err != nil || inner.IsNil() {
			return reflect.Value{}, ErrInvalid
		}
		return reflect.ValueOf(fmt.Errorf(Wrapping, inner.Interface().(error))), nil
	case wire.SpecialTime:
		at := time.Unix(n, 0).UTC()
		if zone := TimeZone(l); zone != 0 {
			at = at.In(time.FixedZone("", int(zone)))
		}
		return reflect.ValueOf(at), nil
	case wire.SpecialZone:
		return reflect.ValueOf(time.FixedZone("", int(n))), nil
	case wire.SpecialFunc, wire.SpecialHashFunc:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		if m.Answers(l, t) {
			return m.answering(l, t), nil
		}
		return m.closure(l, t)
	case wire.SpecialTelling:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		return m.tellingFunc(l, t)
	case wire.SpecialCalling:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		return m.callingFunc(l, t)
	case wire.SpecialSetting:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		return m.settingFunc(l, t)
	case wire.SpecialBack:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		return m.backFunc(l, t)
	case wire.SpecialReplies:
		return m.replyingFunc(l, t)
	case wire.SpecialReply:
		return m.newReply(l, t)
	case wire.SpecialNamed:
		op, ok := m.Named(l, t)
		if !ok {
			return reflect.Value{}, ErrInvalid
		}
		return op.Fn.Convert(t), nil
	case wire.SpecialPanic:
		if t.Kind() != reflect.Func {
			return reflect.Value{}, ErrInvalid
		}
		return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { panic(text) }), nil
	case wire.SpecialRequest:
		return m.newRequest(l, t)
	case wire.SpecialFiles:
		return m.newFiles(l, t)
	case wire.SpecialPath:
		return m.newPath(l, t)
	case wire.SpecialChan, wire.SpecialLateChan, wire.SpecialOpenChan:
		if t.Kind() != reflect.Chan {
			return reflect.Value{}, ErrInvalid
		}
		both := reflect.ChanOf(reflect.BothDir, t.Elem())
		if l.S == wire.SpecialOpenChan {
			return reflect.MakeChan(both, ChannelRoom).Convert(t), nil
		}
		c := reflect.MakeChan(both, len(l.E)+1)
		for _, e := range l.E {
			v, err := m.Build(e, t.Elem())
			if err != nil {
				return v, err
			}
			c.Send(v)
		}
		if l.S == wire.SpecialLateChan {
			late := time.AfterFunc(ClosedAfter, c.Close)
			m.endings = append(m.endings, func() { late.Stop() })
		} else {
			c.Close()
		}
		return c.Convert(t), nil
	}
	return reflect.Value{}, ErrInvalid
}

// lateAfter is how many bytes a writer takes that fails late.
func lateAfter(n int64) int { return int(min(max(n, 1), 1<<12)) }

// LateAfter is how many bytes the literal of a writer that fails late has it take.
func LateAfter(l wire.Lit) int {
	if len(l.E) == 0 {
		return lateAfter(0)
	}
	return lateAfter(l.E[0].N)
}

// closure makes a function of a plain shape.
func (m *Machine) closure(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	results, err := m.results(l.E, t)
	if err != nil {
		return reflect.Value{}, err
	}
	byHash := l.S == wire.SpecialHashFunc
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, len(results))
		for i, r := range results {
			out[i] = r
			if byHash {
				out[i] = depending(args, r)
			}
		}
		return out
	}), nil
}

// results makes what a function of type t gives in each call; what no literal stands for is
// zero.
func (m *Machine) results(list []wire.Lit, t reflect.Type) ([]reflect.Value, error) {
	results := make([]reflect.Value, t.NumOut())
	for i := range results {
		e := wire.Lit{}
		if i < len(list) {
			e = list[i]
		}
		v, err := m.Build(e, t.Out(i))
		if err != nil {
			return nil, err
		}
		results[i] = v
	}
	return results, nil
}

// depending is a value of the kind of like that depends on the arguments.
func depending(args []reflect.Value, like reflect.Value) reflect.Value {
	t := like.Type()
	for _, a := range args {
		if a.Type() == t {
			return a
		}
	}
	h := uint64(0)
	for _, a := range args {
		v, _ := probe.Digest(a)
		h = probe.Mix(h, v)
	}
	v := reflect.New(t).Elem()
	switch {
	case t.Kind() == reflect.Bool:
		v.SetBool(h&1 == 0)
	case v.CanInt():
		v.SetInt(int64(h % 3))
	case v.CanUint():
		v.SetUint(h % 3)
	case t.Kind() == reflect.String:
		v.SetString("abc"[h%3 : h%3+1])
	default:
		return like
	}
	return v
}

// readerKinds are the ways of reading one text.
func readerKinds() []string {
	return []string{wire.SpecialReader, wire.SpecialOneByte, wire.SpecialShort, wire.SpecialFailing, wire.SpecialDataEOF}
}

// Own reports whether a value is of a type of this package. Source code has to
// make something else of it.
func Own(x reflect.Value) bool {
	if x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	return x.IsValid() && x.Type() == reflect.TypeOf((*oddReader)(nil))
}

// oddReader reads as io.Reader allows, and as few expect.
type oddReader struct {
	text string
	kind string
}

func (r *oddReader) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if r.text == "" {
		if r.kind == wire.SpecialFailing {
			return 0, ErrRead
		}
		return 0, io.EOF
	}
	switch r.kind {
	case wire.SpecialOneByte:
		b = b[:1]
	case wire.SpecialShort:
		b = b[:(len(b)+1)/2]
	}
	n := copy(b, r.text)
	r.text = r.text[n:]
	if r.kind == wire.SpecialDataEOF && r.text == "" {
		return n, io.EOF
	}
	return n, nil
}
