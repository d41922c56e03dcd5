package baseline

import "time"

// turns hand out tests in their order, but let slow ones wait until the others ran, so
// that they do not take the others' time. Finding out which are slow is lost time, and
// is bounded.
type turns struct {
	list  []*Test
	first int           // so many of the list have not had a turn
	left  time.Duration // that may be lost
}

// A test is slow if one execution takes longer than quickIteration, the start of its
// process apart, for which there is as much again. waitingPart of the time for baselines
// may be lost. Both are guesses.
const (
	quickIteration = 500 * time.Millisecond
	waitingPart    = 10
)

// newTurns begins with tests that may lose so much time together.
func newTurns(tests []*Test, left time.Duration) *turns {
	return &turns{list: tests, first: len(tests), left: left}
}

// next returns the next test, and whether it may be made to wait; nil after the last.
func (t *turns) next() (test *Test, mayWait bool) {
	if len(t.list) == 0 {
		return nil, false
	}
	test, t.list = t.list[0], t.list[1:]
	t.first--
	return test, t.first >= 0 && t.left > 0
}

// wait gives a test another turn after all others; finding out took so long.
func (t *turns) wait(test *Test, lost time.Duration) {
	t.list = append(t.list, test)
	t.left -= lost
}
