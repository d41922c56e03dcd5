package isomorph

type graph struct{}

// Reach answers, for one version, from where execution can get to a changed
// function.
type Reach struct{}

// Reach prepares the analysis of one side, "base" or "head".
func (p *Program) Reach(changed []Function, side string) *Reach { return &Reach{} }

// MayReach says whether what follows an outcome may execute a function of Δ.
func (r *Reach) MayReach(loc Location, outcome bool) bool { return true }

// Ahead is MayReach without returning to callers.
func (r *Reach) Ahead(loc Location, outcome bool) bool { return true }

// Function says whether a function can execute a function of Δ.
func (r *Reach) Function(pkgPath, name string) bool { return true }

// Sound says whether MayReach may be used to leave executions out.
func (r *Reach) Sound() (bool, string) { return false, "not built yet" }
