//go:build go1.21

package wire

// Aim asks for a sequence that takes a branch. The first question of a goal says all of
// it; the ones that follow have More alone, and go on.
type Aim struct {
	More bool
	// Goals are branches, as package probe numbers them; the search is for the first, and
	// what takes another one on the way is told too.
	Goals []int
	// Ahead are the decisions between an outcome of a condition and the first goal: false
	// and true by turns, by number of the condition. Those that do not lead there are -1.
	Ahead map[int][2]int
	// Ops are the operations to call, the most promising first.
	Ops []Op
	// Seeds are sequences to begin with, encoded; they may have holes.
	Seeds [][]byte
	Most  int // executions
	// Witnesses is how many further sequences are wanted that take the first goal.
	Witnesses int
	Seed      uint64
}

// Aimed answers.
type Aimed struct {
	Done  bool // there is nothing more to say of the first goal
	Runs  int  // executions so far
	Taken []Taken
	// Nearest is what came closest to the first goal.
	Nearest *Approach
	Failed  string // what went wrong in the search itself
}

// Taken is a goal that was taken, by the last step of a sequence.
type Taken struct {
	Goal     int
	Runs     int // executions before
	Sequence []byte
}

// Approach is how close a sequence came.
type Approach struct {
	Ahead     int // decisions
	Condition int // where execution went another way; -1 if nothing that leads there was executed
	Outcome   bool
	Operands  string // compared there, for people
	Sequence  []byte
}
