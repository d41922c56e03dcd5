package symbolic

import "time"

// asking bounds one question to a solver.
const asking = 2 * time.Second

// Embedded is a panel of the solver that isodelta is built with.
func Embedded() Panel { return Panel{Own: Bits{Limit: asking}} }

// Installed has the solvers on the PATH as well.
func Installed() Panel { return Panel{Own: Bits{Limit: asking}, Others: Children(asking)} }
