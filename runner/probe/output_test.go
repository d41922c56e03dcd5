package probe

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"
)

func TestOutputs(t *testing.T) {
	o, held := NewOutputs(), os.Stderr
	for i, test := range []struct {
		call func()
		want [Streams]string
	}{
		{func() {}, [Streams]string{}},
		{func() { fmt.Print("a") }, [Streams]string{"a", ""}},
		{func() { fmt.Fprint(held, "b"); fmt.Print("c") }, [Streams]string{"c", "b"}},
		{func() { os.Stdout = os.Stderr; fmt.Print("d") }, [Streams]string{"", "d"}},
		{func() { fmt.Print(strings.Repeat("e", maxOutput+1)) }, [Streams]string{strings.Repeat("e", maxOutput), ""}},
		{func() { os.Stdout.Close() }, [Streams]string{}},
		{func() { fmt.Print("after") }, [Streams]string{"after", ""}},
	} {
		stdout, stderr := os.Stdout, os.Stderr
		o.Begin()
		test.call()
		if got := o.End(); got != test.want {
			t.Errorf("%d: got %.80q, want %.80q", i, got, test.want)
		}
		if os.Stdout != stdout || os.Stderr != stderr {
			t.Errorf("%d: the streams are others afterwards", i)
		}
	}
}

func TestOutputsOfOneFile(t *testing.T) {
	o, stdout, stderr := NewOutputs(), os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	f := nowhere()
	os.Stdout, os.Stderr = f, f
	o.Begin()
	o.End()
	if f.Name() != os.DevNull {
		t.Errorf("the streams lead to %s afterwards", f.Name())
	}
}

func TestNormalOutput(t *testing.T) {
	var logged strings.Builder
	log.New(&logged, "", log.LstdFlags|log.Lmicroseconds|log.LUTC).Print("x.go:12: text")
	for _, test := range []struct {
		stream       int
		output, want string
	}{
		{Stdout, "2001-02-03 04:05:06 is long ago", "2001-02-03 04:05:06 is long ago"},
		{Stdout, time.Now().Format(time.RFC3339) + "\n", "$DATE\n"},
		{Stdout, "x.go:12: text", "x.go:12: text"},
		{Stderr, logged.String(), "$DATE x.go:: text\n"},
		{Stdout, `{"file":"/tmp/isodelta-2/head/tree/x.go","line":12},"n":3}`, `{"file":"/tmp/isodelta-2/head/tree/x.go","line":},"n":3}`},
		{Stdout, `{"file":"x.go","line":12}`, `{"file":"x.go","line":12}`},
	} {
		if got := NormalOutput(test.stream, test.output); got != test.want {
			t.Errorf("NormalOutput(%d, %q) = %q, want %q", test.stream, test.output, got, test.want)
		}
	}
}

func BenchmarkOutputs(b *testing.B) {
	o := NewOutputs()
	for range b.N {
		o.Begin()
		o.End()
	}
}
