// Package checkout reads the repository that a workflow checked out, and
// fetches what the checkout lacks.
//
// actions/checkout takes one commit by default, without its history. A
// comparison needs a second commit with its files, and enough history to find
// where the two parted. [Open] makes a store of its own in a temporary folder:
// a bare repository that borrows the checkout's objects and into which all that
// is missing is fetched. The checkout itself is only read: its objects,
// references, shallow boundary, index and working tree stay as they are, and
// [Checkout.Close] removes everything.
//
// A commit is asked for by its hash where the server allows that, as GitHub
// does. Where it does not, branches are deepened in steps until the commit
// shows. History alone is fetched without files, where the server can filter.
//
// # Credentials
//
// In this order: the header that actions/checkout left in the repository's
// configuration (or in the file that the configuration includes), the
// workflow's token, none. The token goes to the workflow's own server and
// nowhere else. Neither is ever part of a message.
//
// # What it cannot do
//
// Remotes over SSH are not used; the workflow's server takes their place.
// Submodules are not fetched. Configuration is followed through include.path
// only for credentials, and only where the condition is the repository's own
// git directory.
package checkout
