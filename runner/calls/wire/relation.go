//go:build go1.21

package wire

// Verdicts on one relation and one source input.
const (
	GroupHolds   = 'h'
	GroupFails   = 'f'
	GroupSkipped = 's' // the relation says nothing about this input
	GroupTrivial = 't' // it holds, but every follow-up call is the source call, or it says no more than that outputs are equal
	GroupPanics  = 'p' // a call of the group panics
	GroupEndless = 'e' // a call of the group does not come to an end
)

// RelateQuestion asks for metamorphic groups: of each sequence, whose last step
// is the source call, and each relation.
type RelateQuestion struct {
	Sequences [][]byte
	Relations []string // identifiers; those of another operation are skipped
	// Choices asks which declared choices the source input is of.
	Choices bool
	// FollowUps asks for the follow-up calls as sequences.
	FollowUps bool
	// Calls asks for the calls of each group in words.
	Calls bool
}

// RelateAnswer has a row for each sequence.
type RelateAnswer struct{ Rows []RelatedRow }

// RelatedRow is what became of one sequence.
type RelatedRow struct {
	Ended    bool   // the source call returned
	Gives    bool   // and no error, nor false behind what it gives
	Output   uint32 // visible digest of what it gave: its results, or what it may have changed
	Branches []int  // that the sequence took
	Verdicts string // one byte for each relation
	// Chosen are the input and output choices, as category and choice.
	Chosen [2][][2]int
	// FollowUps are sequences that make the follow-up calls.
	FollowUps [][]byte
	Calls     [][]CallText // by relation
}

// CallText is one call of a group in words.
type CallText struct {
	Function string
	Args     []string
	Results  []string
	// Leaves are what each result is made of.
	Leaves [][]Leaf
	Ending string // "" where it returned
}

// Leaf is a number, a text, a truth, or something nil or empty within a value. Path is the
// Go expression behind the value that leads to it: ".list[2].End", or "len(.list)".
type Leaf struct {
	Path, Text string
	// Rest is what a long Text leaves out, as far as it is told; Sum is a digest of the whole text then.
	Rest string `json:",omitempty"`
	Sum  uint64 `json:",omitempty"`
}

// LeftOut is the path of a last leaf, which says that the value holds more than leaves tell.
const LeftOut = "…"

// MaxLeaves bounds the leaves of one value that are told.
const MaxLeaves = 1000
