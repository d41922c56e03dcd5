package harness

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

type adaptedName string

// What only the function itself takes is empty, and what it gives in addition is left out.
func TestAdapt(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for name, c := range map[string]struct {
		call any
		args []any
		want string
	}{
		"options": {Adapt[func(int) int](func(n int, more ...int) int { return n + len(more) }), []any{3}, "[3]"},
		"a context and an error": {Adapt[func(int) (int, error)](func(ctx context.Context, n int) int { return n }),
			[]any{3}, "[3 <nil>]"},
		"a context after the receiver": {Adapt[func(*int, int) int](func(p *int, ctx context.Context, n int) int { return *p + n }), []any{new(int), 3}, "[3]"},
		"its own error":                {Adapt[func(int) (int, error)](func(n int) (int, bool, error) { return n, true, odd }), []any{3}, "[3 odd]"},
		"options that are a struct":    {Adapt[func(int) int](func(n int, o struct{ N int }, f func()) int { return n + o.N }), []any{3}, "[3]"},
		"bytes":                        {Adapt[func(string) string](func(b []byte) []byte { return append(b, '!') }), []any{"a"}, "[a!]"},
		"a named type":                 {Adapt[func(string) string](func(n adaptedName) adaptedName { return n + "!" }), []any{"a"}, "[a!]"},
		"an interface":                 {Adapt[func(string) string](func(x any) string { return fmt.Sprint(x) }), []any{"a"}, "[a]"},
		"any number of them":           {Adapt[func(string) int](func(list ...string) int { return len(list) }), []any{"a"}, "[1]"},
		"any number on both":           {Adapt[func(...int) (int, error)](func(list ...int) int { return len(list) }), []any{1, 2}, "[2 <nil>]"},
		"some of them":                 {AdaptWhole[func(int, string, int) (int, error)](func(a, b int) int { return a - b }), []any{3, "x", 1}, "[2 <nil>]"},
		"all of them":                  {AdaptWhole[func(int, string) int](func(n int, s string) int { return n + len(s) }), []any{3, "x"}, "[4]"},
		"nothing to do":                {Adapt[func(string) string](func(s string) string { return s }), []any{"a"}, "[a]"},
	} {
		var args []reflect.Value
		for _, a := range c.args {
			args = append(args, reflect.ValueOf(a))
		}
		got := []any{}
		for _, v := range reflect.ValueOf(c.call).Call(args) {
			got = append(got, v.Interface())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	for name, f := range map[string]any{
		"a number for a text":   Adapt[func(int)](func(string) {}),
		"an argument too much":  Adapt[func(int, int)](func(int) {}),
		"a result that is none": Adapt[func() int](func() {}),
		"none of them":          AdaptWhole[func(int, int)](func(string) {}),
		"another result":        Adapt[func() int](func() string { return "" }),
	} {
		if !reflect.ValueOf(f).IsNil() {
			t.Errorf("%s can be called", name)
		}
	}
}
