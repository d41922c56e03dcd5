//go:build go1.21

package harness

import (
	"reflect"
	"strings"
)

// StubTB is the name of the type that stands for testing.TB.
const StubTB = stubPrefix + "TestingTB" + stubSuffix

// IsTB reports whether a type is the one that stands for testing.TB.
func IsTB(t reflect.Type) bool { return t.Name() == StubTB && IsStub(t) }

// TBSource declares a type that stands for testing.TB and notes what is said to it. testing and fmt qualify names of
// these packages. Fatal and its like do not end the call: the call would show nothing of what it was given then.
func TBSource(name, testing, fmt string) string {
	return strings.NewReplacer("NAME", name, "TESTING.", testing, "FMT.", fmt).Replace(tbSource)
}

const tbSource = `type NAME struct {
	TESTING.TB
	Said   []string
	failed bool
}

func (s *NAME) say(text string) { s.Said = append(s.Said, text) }
func (s *NAME) fail(text string) {
	s.say(text)
	s.failed = true
}

func (s *NAME) Helper()                        {}
func (s *NAME) Name() string                   { return "Test" }
func (s *NAME) Cleanup(func())                 {}
func (s *NAME) Log(a ...any)                   { s.say("Log: " + FMT.Sprint(a...)) }
func (s *NAME) Logf(format string, a ...any)   { s.say("Log: " + FMT.Sprintf(format, a...)) }
func (s *NAME) Skip(a ...any)                  { s.say("Skip: " + FMT.Sprint(a...)) }
func (s *NAME) Skipf(format string, a ...any)  { s.say("Skip: " + FMT.Sprintf(format, a...)) }
func (s *NAME) SkipNow()                       { s.say("SkipNow") }
func (s *NAME) Skipped() bool                  { return false }
func (s *NAME) Fail()                          { s.fail("Fail") }
func (s *NAME) FailNow()                       { s.fail("FailNow") }
func (s *NAME) Error(a ...any)                 { s.fail("Error: " + FMT.Sprint(a...)) }
func (s *NAME) Errorf(format string, a ...any) { s.fail("Error: " + FMT.Sprintf(format, a...)) }
func (s *NAME) Fatal(a ...any)                 { s.fail("Fatal: " + FMT.Sprint(a...)) }
func (s *NAME) Fatalf(format string, a ...any) { s.fail("Fatal: " + FMT.Sprintf(format, a...)) }
func (s *NAME) Failed() bool                   { return s.failed }
`
