package code

import (
	"errors"
	"strings"
)

type Point struct{ X, Y int }

func (p Point) Less(q Point) bool             { return p.X < q.X }
func (p Point) Greater(q Point) bool          { return p.X > q.X }
func (p Point) Equal(q Point) bool            { return p == q }
func (p Point) Mirror() Point                 { return Point{p.Y, p.X} }
func (p Point) MarshalText() ([]byte, error)  { return nil, nil }
func (p *Point) UnmarshalText(b []byte) error { return nil }

type Stack struct{ list []int }

func NewStack() *Stack      { return &Stack{} }
func (s *Stack) Push(x int) { s.list = append(s.list, x) }
func (s *Stack) Pop() int   { return 0 }
func (s *Stack) Len() int   { return len(s.list) }

func Encode(s string) string                  { return s }
func Decode(s string) (string, error)         { return s, nil }
func Marshal(p Point) ([]byte, error)         { return nil, errors.New("") }
func Unmarshal(b []byte, p *Point) error      { return nil }
func Format(x int64, base int) string         { return "" }
func Parse(s string, base int) (int64, error) { return 0, nil }
func Add(a, b int) int                        { return a + b }
func Sum(a, b int) int                        { return b + a }
func Compare(a, b int) int                    { return a - b }
func Fold(s string) string                    { return strings.ToLower(s) }
func Half(x float64) float64                  { return x / 2 }
func Twice(x float64) float64                 { return x * 2 }
func Map[T any](x T) T                        { return x }
func Unmap[T any](x T) T                      { return x }
func Repeat(s string, n int) string           { return strings.Repeat(s, n) }
