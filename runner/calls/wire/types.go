//go:build go1.21

package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"time"
)

// BasicTypes returns the types that every process knows, by their numbers:
// predeclared ones, and some made of those and of the standard library's alone.
func BasicTypes() []reflect.Type {
	var out []reflect.Type
	for _, v := range []any{
		false, int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
		float32(0), float64(0), complex64(0), complex128(0), "",
		[]byte(nil), []string(nil), []int(nil), []any(nil), []float64(nil), []bool(nil),
		map[string]any(nil), map[string]string(nil), map[string]int(nil), map[any]any(nil), []map[string]any(nil),
		new(int), new(string), new(bool), new(float64), new(any), new(map[string]any), new([]any), new([]string), new(map[string]string),
		[2]int{}, [3]string{}, struct{}{},
		time.Time{}, time.Duration(0), (*time.Location)(nil),
		new(taggedStruct), taggedStruct{}, new(nestedStruct), nestedStruct{}, new(embeddingStruct), embeddingStruct{}, new(variousStruct), variousStruct{},
		[]taggedStruct(nil), map[string]taggedStruct(nil), map[int]string(nil),
		(*bytes.Buffer)(nil),
		// What no encoder takes. Of channels only nil is given, which prints no address; that of a
		// function lies in the program, where the probe knows it.
		(chan int)(nil), (func())(nil),
	} {
		out = append(out, reflect.TypeOf(v))
	}
	return out
}

// BasicType returns the number of one of the BasicTypes.
func BasicType(t reflect.Type) (int, bool) {
	for i, b := range BasicTypes() {
		if b == t {
			return i, true
		}
	}
	return 0, false
}

// taggedStruct and those below are structs with tags, for functions that take any and look at it by reflection.
// They are aliases of unnamed types, so that a test to paste can write them out.
type taggedStruct = struct {
	Name  string            `json:"name" yaml:"name" toml:"name" xml:"name"`
	Count int               `json:"count,omitempty" yaml:"count,omitempty" toml:"count,omitempty" xml:"count,attr"`
	Ratio float64           `json:"ratio" yaml:"ratio" toml:"ratio" xml:"ratio"`
	On    bool              `json:"on" yaml:"on" toml:"on" xml:"on"`
	Tags  []string          `json:"tags" yaml:"tags" toml:"tags" xml:"tags"`
	Extra map[string]string `json:"extra" yaml:"extra" toml:"extra" xml:"-"`
}

type nestedStruct = struct {
	A     int
	B     *string
	Inner struct {
		X, Y int
		Z    []float64
	}
	List []struct {
		K string
		V any
	}
	Skip any `json:"-" yaml:"-" toml:"-" xml:"-"`
}

type embeddingStruct = struct {
	fmt.Stringer
	N int
}

type variousStruct = struct {
	T time.Time
	D time.Duration
	P *int
	B []byte
	M map[int]string
	A [2]int
	E error
	F float32
	U uint8
	R rune
}

// DocumentKeys are the keys of the tags that the usual decoders read. What is no XML is written as JSON, which YAML includes.
func DocumentKeys() []string { return []string{"json", "yaml", "xml", "mapstructure", "toml"} }
