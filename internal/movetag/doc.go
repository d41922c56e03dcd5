// Movetag reports whether a release moves the tag of its major version.
//
// Workflows may name the action by its major version (v1), so that tag follows
// the releases, and everybody who names it runs what it points to. It goes to
// stable versions only, and only upwards: neither a pre-release nor a fix of an
// older version moves it.
//
//	movetag v1.2.3
//
// prints an output of a step, "tag=v1" or "tag=" where nothing is to be moved,
// and says why on standard error. It reads the repository that it runs in, and
// changes nothing.
package main
