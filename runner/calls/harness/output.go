//go:build go1.21

package harness

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// What a call writes to the standard output and to the standard error is compared like
// what it returns: each is a component of its step, behind all others.

var streamNames = [probe.Streams]string{"stdout", "stderr"}

// Guarded runs a call under a limit of work, and keeps what it prints.
func (m *Machine) Guarded(fuel int64, call func()) (ending probe.Ending, message string, printed [probe.Streams]string) {
	if m.outputs != nil {
		m.outputs.Begin()
		defer func() { printed = m.outputs.End() }()
	}
	ending, message, _ = probe.Guard(fuel, call)
	return
}

// printedComponents are the digests of what a step wrote to each stream.
func (m *Machine) printedComponents(step int) []wire.Component {
	out := make([]wire.Component, probe.Streams)
	for i, s := range m.Printed[step] {
		if s != "" {
			out[i] = component(reflect.ValueOf(probe.NormalOutput(i, s)))
		}
	}
	return out
}

// exitComponents are those of a call that asked for the end of the process: what it wrote by
// then, and the exit status behind that. Of results and arguments nobody sees anything. nil
// is returned for a call that did not ask for it.
func (m *Machine) exitComponents(op *Operation, step int, st wire.StepTrace) []wire.Component {
	status, ok := probe.ExitStatus(st.Message)
	if st.Ending != probe.Panicked || !ok {
		return nil
	}
	return append(append(make([]wire.Component, op.seen()), m.printedComponents(step)...), component(reflect.ValueOf(status)))
}

// seen is how many components there are before those of streams.
func (op *Operation) seen() int {
	n := len(op.Out)
	for _, t := range op.In {
		if changeable(t) {
			n++
		}
	}
	return n
}

// IsExitStatus reports whether a component is the exit status of a call that ended the process.
func (op *Operation) IsExitStatus(component int) bool {
	return !op.Variable && component == op.seen()+probe.Streams
}

// Stream is the stream that a component of a step is about, -1 for none.
func (op *Operation) Stream(component int) int {
	if op.Variable {
		return -1
	}
	n := component - op.seen()
	if n < 0 || n >= probe.Streams {
		return -1
	}
	return n
}

// printedLeaves are the lines of what was written to a stream.
func printedLeaves(text string) []wire.Leaf {
	var out []wire.Leaf
	for i, line := range strings.Split(text, "\n") {
		if len(out) == wire.MaxLeaves {
			break
		}
		out = append(out, leaf(" line "+strconv.Itoa(i+1), strconv.Quote(line)))
	}
	return out
}
