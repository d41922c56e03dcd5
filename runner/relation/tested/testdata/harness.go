// Package h has what registered relations call.
package h

type Group struct{}

func (*Group) Skip(string)        {}
func (*Group) Begin()             {}
func (*Group) End(a, b []any)     {}
func (*Group) Holds(bool)         {}
func Relation(a, b string, c any) {}
func Copy[T any](v T) T           { return v }

func Equal(a, b any, tolerance float64) bool { return true }

type T struct{}

func Passes(*Group, func(*T)) bool   { return true }
func (*T) Run(string, func(*T)) bool { return true }
func (*T) Skip(...any)               {}
func (*T) Errorf(string, ...any)     {}
