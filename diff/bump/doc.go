// Package bump says which version a release needs: from what changed in the
// API, and from what changed in behaviour.
//
// # API
//
// golang.org/x/exp/apidiff tells incompatible changes from compatible ones;
// packages main and internal ones are left out, as nobody can import them. The
// rules are those of Go's module reference and of the gorelease command: an
// incompatible change needs a new major version, or a minor one in v0, which
// promises nothing; anything added needs a minor version; the rest is a patch.
//
// # Behaviour
//
// The type checker accepts a function that returns something else than it did,
// and so do Go's rules: they speak of programs that no longer build. But who
// takes a patch release expects to read nothing and to change nothing. So a
// difference in what exists and is exported needs a minor version while it is
// open, that is, while nobody has said whether it is meant. A maintainer who
// says that it repairs something accepts it, or edits the test that expects the
// old value; then a patch release is enough, with a note about it. Behaviour
// never asks for a major version: whether users relied on it is a
// maintainer's judgement, not a tool's.
//
// Evidence counts as far as it shows what users can see: observed differences,
// and reached ones of exported functions. What only unexported functions show,
// or only a negated branch, is a note: no input of the API is known that
// leads to it. A broken relation of an exported function counts as an open
// difference does, unless the findings of its function are intended or accepted.
//
// # What is measured from where
//
// A bump is measured from the release before: the highest version tag of the
// module that the head's history holds, tags of the head itself and
// pre-releases left out; where there are only pre-releases, the highest of
// those. A module in a folder has tags with the folder before the version
// ("sub/v1.2.3"). Tags whose major version does not fit the module's path
// are another module's; for the first tag of a new major version, the release
// before is that of the old one. Then the path has changed, nothing imports the new module yet, and there is
// nothing to compare.
//
// A pre-release promises what its version says without the suffix: v1.5.0-rc.1
// is a minor release, and so is v1.5.0 after it.
//
// # What it cannot do
//
// It does not see what a release needs for other reasons: a raised go line, a
// dependency with a new major version, documentation that now promises more.
package bump
