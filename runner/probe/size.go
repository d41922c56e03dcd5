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

var _ = attach
