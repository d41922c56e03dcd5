// Package shapes has a bit of everything that sequences can name: the tests
// write sequences over it down and compile them.
package shapes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"
)

// Color is an enumeration.
type Color int

const (
	Red Color = iota
	Green
	blue
)

func (c Color) String() string { return [...]string{"red", "green", "blue"}[uint(c)%3] }

// Next and Brighter have receivers of both kinds.
func (c Color) Next() Color             { return c + 1 }
func (c *Color) Brighter(by int) *Color { *c += Color(by); return c }

// Weight is a number without a name for its values.
type Weight float64

// Heavier takes an unusual number.
func (w Weight) Heavier(than Weight, f float32) bool { return w > than+Weight(f) }

// Mixed numbers of all widths.
func Mixed(a int8, b uint16, c int64, d uint64, e float32, f complex128, g byte, r rune, p uintptr) string {
	return fmt.Sprint(a, b, c, d, e, f, g, r, p)
}

// Point has plain fields only.
type Point struct {
	X, Y int
	Name string
	tag  int
}

func (p Point) Add(q Point) Point   { return Point{X: p.X + q.X, Y: p.Y + q.Y, Name: p.Name + q.Name} }
func (p *Point) Move(dx, dy int8)   { p.X += int(dx); p.Y += int(dy); p.tag++ }
func (p *Point) hidden(n int) error { p.tag += n; return nil }

// Base is embedded.
type Base struct {
	ID    string
	Attrs map[string]any
}

func (b *Base) Set(key string, v any) {
	if b.Attrs == nil {
		b.Attrs = map[string]any{}
	}
	b.Attrs[key] = v
}

type inner struct{ Depth int }

// Node is a tree.
type Node struct {
	Base
	inner
	Kind  Color
	At    *Point
	Kids  []*Node
	Extra [3]Point
	When  time.Time
	Took  time.Duration
	Limit *int
	Any   any
	Funcs map[Point]string
}

// NewNode builds a tree.
func NewNode(id string, kids ...*Node) *Node {
	return &Node{Base: Base{ID: id}, Kids: kids, inner: inner{len(kids)}}
}

// Walk visits the tree.
func (n *Node) Walk(f func(n *Node) bool) int {
	if n == nil || !f(n) {
		return 0
	}
	sum := 1
	for _, k := range n.Kids {
		if k != n {
			sum += k.Walk(func(*Node) bool { return false })
		}
	}
	return sum
}

// ByValue takes a copy of a tree's root.
func ByValue(n Node, p Point, extra [3]Point) (Node, Point) {
	n.Extra = extra
	n.Extra[0] = p
	return n, p
}

// List is a named slice.
type List []string

func (l List) Len() int          { return len(l) }
func (l List) Sorted() List      { c := append(List{}, l...); sort.Strings(c); return c }
func (l *List) Push(s ...string) { *l = append(*l, s...) }
func Split(s string, at rune) List {
	return strings.FieldsFunc(s, func(r rune) bool { return r == at })
}
func Rows(n uint8) [][]byte { return [][]byte{[]byte(strings.Repeat("x", int(n%5))), {n}} }
func Join(lines [][]string, m map[Color][]Point, b []byte) (string, error) {
	if len(lines) > 2 {
		return "", &Failure{Code: len(lines)}
	}
	return fmt.Sprint(lines, len(m), b), nil
}

// Failure is an error.
type Failure struct{ Code int }

func (f *Failure) Error() string { return fmt.Sprintf("failure %d", f.Code) }

// Shape is an interface.
type Shape interface {
	Area() float64
	Scale(by float64) Shape
}

type square struct{ side float64 }

func (s square) Area() float64          { return s.side * s.side }
func (s square) Scale(by float64) Shape { return square{s.side * by} }

// Circle is a shape.
type Circle struct{ R float64 }

func (c *Circle) Area() float64          { return 3 * c.R * c.R }
func (c *Circle) Scale(by float64) Shape { return &Circle{c.R * by} }

// Square gives a type that has no name outside, Total takes any shape.
func Square(side float64) Shape { return square{side} }
func Total(shapes ...Shape) (sum float64) {
	for _, s := range shapes {
		if s != nil {
			sum += s.Area()
		}
	}
	return sum
}

// Option is a function.
type Option func(*Config)

// Config is made from options.
type Config struct {
	Name    string
	Retries uint
	Verbose bool
	Ratio   Weight
}

func WithName(name string) Option { return func(c *Config) { c.Name = name } }
func WithRetries(n uint) Option   { return func(c *Config) { c.Retries = n } }
func New(opts ...Option) *Config {
	c := &Config{}
	for _, o := range opts {
		if o != nil {
			o(c)
		}
	}
	return c
}
func (c Config) Format(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// Stack is generic.
type Stack[T any] struct{ Items []T }

func (s *Stack[T]) Push(v T) { s.Items = append(s.Items, v) }
func (s *Stack[T]) Pop() (v T, err error) {
	if len(s.Items) == 0 {
		return v, errors.New("empty")
	}
	v = s.Items[len(s.Items)-1]
	s.Items = s.Items[:len(s.Items)-1]
	return v, nil
}

// Pair is generic over two.
type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func MakePair[K comparable, V any](k K, v V) Pair[K, V] { return Pair[K, V]{k, v} }
func (p Pair[K, V]) Swap(f func(K, V) V) V              { return f(p.Key, p.Val) }

// Read reads everything.
func Read(ctx context.Context, r io.Reader, w io.Writer) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	b, err := io.ReadAll(r)
	if w != nil {
		w.Write(b)
	}
	return len(b), err
}

// Wait looks at times, errors and channels.
func Wait(d time.Duration, at time.Time, loc *time.Location, err error, c <-chan int) string {
	sum := 0
	if c != nil {
		for n := range c {
			sum += n
		}
	}
	if loc == nil {
		loc = time.UTC
	}
	return fmt.Sprint(d, at.In(loc), errors.Is(err, nil), sum)
}

// Look takes anything, also structs without a name.
func Look(v any, more ...any) string { return fmt.Sprintf("%T %d", v, len(more)) }
func Anonymous(v struct {
	A int
	B []struct{ C string }
}) int {
	return v.A + len(v.B)
}

// Pointers to scalars.
func Pointers(n *int, s *string, p **Point, m *map[string]int, a *any) (*int, *string) { return n, s }

// Half panics on odd numbers.
func Half(n int) int {
	if n%2 != 0 {
		panic(fmt.Sprint("odd: ", n))
	}
	return n / 2
}

// Table is a variable.
var Table = []int{1, 2, 3}

var origin = Point{Name: "origin"}

func list(p *Point, c Color, list List) *Point {
	if p == nil {
		p = &Point{}
	}
	p.X += len(list) + int(c)
	return p
}

type state struct{ On bool }

func (s *state) flip() *state { s.On = !s.On; return s }

func newState(on bool) *state { return &state{on} }

// Reset undoes what sequences do to the variables.
func Reset() { Table, origin = []int{1, 2, 3}, Point{Name: "origin"} }

// Unexported gives tests what only the package can name.
var Unexported = map[string]any{
	"list": list, "newState": newState, "flip": (*state).flip, "hidden": (*Point).hidden, "origin": &origin, "blue": blue,
}
