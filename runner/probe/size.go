package probe

// In the injected copy these are generated to fit the program.
const (
	conditions = 64
	arms       = 16
	entries    = 16
	sites      = 64
	module     = "example.com/m"
)

// reseed puts the seeded run time back to its start; without one it is empty.
func reseed() {}

// seedAt and seedTo tell and set how far the seeded run time's sequence is.
func seedAt() uint64 { return 0 }

func seedTo(uint64) {}

// onExit sets what is asked before the process exits; without the seeded run
// time nothing is.
func onExit(func(code int)) {}

var _ = attach
