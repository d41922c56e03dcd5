//go:build go1.21

package wire

// Frames that the parent sends. A frame is its length (four bytes, little
// endian, the kind counted), its kind, and its payload.
const (
	FrameSetup   = 'S' // JSON of Setup; answered by FrameReady
	FrameLead    = 'L' // number of sequences (uvarint): make and run them
	FrameFollow  = 'F' // sequences: run them
	FrameSweep   = 'W' // Sweep: make and run sequences that look at a value
	FrameSeeds   = 'R' // sequences, perhaps with holes: make them whole, run them
	FrameExplain = 'X' // JSON of Question; answered by JSON of Answer
	FrameStats   = 'Z' // answered by JSON of Stats
	FrameSources = 'C' // JSON of SourceQuestion: make and run calls of one operation
	FrameRelate  = 'G' // JSON of RelateQuestion; answered by JSON of RelateAnswer
	FrameNumbers = 'N' // Numbers; answered by the outputs of all calls, see AppendFloats
	FrameValues  = 'V' // Values; answered by a Valued of each sequence, see DecodeValued
	FrameAim     = 'A' // JSON of Aim; answered by JSON of Aimed
	FrameReady   = 'r'
	FrameTraces  = 't' // answer to the rest: see AppendExecuted
	FramePart    = 'p' // the beginning of an answer of traces, should the process not come to its end; further ones follow
)

// MaxFrame bounds a frame.
const MaxFrame = 64 << 20

// Setup is what a process has to know first.
type Setup struct {
	Seed    uint64
	Texts   [Nears][]string
	Numbers [Nears][]int64
	Floats  []string // as strconv writes them
	// Moved is how far the places of new values in memory are moved: what depends on them differs then.
	Moved int
	// Tried are texts with which authors of dependencies try what they changed.
	Tried []string
	// Kinds are pairs of a language and a text in it, from the same tests.
	Kinds [][2]string
	// Hosts are texts that tests of this module give: those are parts of them.
	Hosts []string
	// Files are names and contents of files that tests of the package read. Those in one folder belong together.
	Files [][2]string
	// Telling are texts with which functions of dependencies differ.
	Telling []string
	Roles   map[Op]Role
	Banned  []uint64     // hashes of sequences that ended a process
	Caps    map[Op]int64 // largest number for an operation
	// Leads are the operations that may lead to a member of Δ, by its number, the nearest first.
	Leads [][]Op
	// Near are the branches of Δ's functions, as package probe numbers them.
	Near []int
	// Exclude are operations never to be called.
	Exclude []Op
	// Careful are operations that ended processes: they are given what they were given before, and did not end.
	Careful []Op
	// Waiting are operations that waited for the end of their context, or of a channel: they are given such as end.
	Waiting []Op
	// BadTexts are not to be used, nor numbers larger than Most (0: any).
	BadTexts []string
	// Batch is the processor time, in nanoseconds, after which no further sequence of
	// a batch is begun; 0 for no bound. The answer is shorter then.
	Batch int64
	// Fuel is how many rounds of loops and calls one call may make; 0 for the usual number.
	Fuel int64
	// Short are operations whose calls may make fewer rounds than the usual number, as one in which each round takes longer
	// than the one before it.
	Short map[Op]int64
	// Costs are what operations took so far.
	Costs Costs
	Most  int64
}

// Lower gives an operation smaller numbers than so far: one that took long.
func Lower(caps map[Op]int64, op Op) {
	switch most := caps[op]; {
	case most == 0:
		caps[op] = 4096
	case most > 64:
		caps[op] = most / 4
	}
}

// Ready tells what the process can name.
type Ready struct {
	Ops   []string
	Types []string
	// Relations are the identifiers of those that can be asked for, Adapters
	// the operations of the numeric adapters, by their numbers.
	Relations []string
	Adapters  []Adapter
}

// Stats tells what the process has done so far.
type Stats struct {
	Entered  []int // sequences by the member of Δ that they executed
	Branches []int // taken by any sequence
	Times    []int // how many sequences took each of Branches
}

// Near is how near a literal is to the change.
const (
	NearDiff  = iota // in the changed lines
	NearCode         // in the code reached
	NearTests        // in the tests, or recorded while they ran
	Nears            // how many there are
)
