//go:build go1.21

package probe

import (
	"runtime"
	"strings"
)

// A Frame is where code was called or goes on; the zero value is nowhere.
type Frame struct {
	File string // absolute, or as -trimpath has it
	Line int
}

// locate says that Guard looks for where a panic comes from, which takes a while.
var locate bool

// panicked is where the panic that Guard caught last comes from.
var panicked Frame

// LocatePanics says whether Guard looks for where the panics come from that it catches.
func LocatePanics(on bool) { locate, panicked = on, Frame{} }

// PanickedAt returns where the panic that Guard caught last comes from: the innermost code of the
// module. It returns nowhere unless LocatePanics asked for it.
func PanickedAt() Frame { return panicked }

// locatePanic looks for it. It is called by the deferred function that recovers the panic.
func locatePanic() {
	if !locate {
		return
	}
	panicked = Frame{}
	var pcs [128]uintptr
	n := runtime.Callers(1, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic": // what is above was called while the panic went on
			panicked = Frame{}
		case panicked == Frame{} && OfModule(packageOf(f.Function)):
			panicked = Frame{f.File, f.Line}
		}
	}
}

// packageOf is the import path in a function's name as package runtime has it.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}
