package sandbox

import (
	"os"
	"slices"
)

// Found is what [Probe] finds to work on a machine.
type Found struct {
	Level Level
	// Policy is the one asked for, without what cannot be done here.
	Policy Policy
	// Detail says in words what is held, and why no more.
	Detail string
	// Open names what is not held, in the order of [Gaps].
	Open []Gap
}

// Gap is something that a process can do in spite of the sandbox.
type Gap string

// The gaps.
const (
	Writing    Gap = "writing"       // change files outside
	Truncating Gap = "truncating"    // empty files outside
	Attributes Gap = "attributes"    // change permissions, owners, times and extended attributes of files outside
	Reading    Gap = "reading"       // read whatever files the user may read
	Network    Gap = "network"       // reach other machines, and servers on this one
	Sockets    Gap = "sockets"       // connect to sockets in the file system: a Docker daemon's, the session bus
	Signals    Gap = "signals"       // signal the user's other processes, and so end its keeper
	Outliving  Gap = "outliving"     // leave processes behind
	Crowding   Gap = "process-count" // start processes without limit
	Filling    Gap = "disk"          // fill the temporary folder: files without a name, and those of a quarter of a second, are not counted
	Root       Gap = "root"          // do all this as root, whose files are the machine's
)

// Gaps lists all, the worst first.
func Gaps() []Gap {
	return []Gap{Writing, Truncating, Outliving, Signals, Sockets, Network, Root, Attributes, Crowding, Filling, Reading}
}

// allGaps are those of a process that nothing restricts.
func allGaps() []Gap {
	return slices.DeleteFunc(Gaps(), func(g Gap) bool { return g == Root && os.Geteuid() != 0 })
}

// sorted brings gaps into the order of Gaps, each once.
func sorted(open []Gap) []Gap {
	return slices.DeleteFunc(Gaps(), func(g Gap) bool { return !slices.Contains(open, g) })
}
