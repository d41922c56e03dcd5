// Package revision finds the two versions a comparison is about and lays them
// out on disk.
//
// The journey: [Open] finds the repository that holds a folder, Resolve turns
// the command's arguments into a [Range] of two [Version] values, Materialise
// writes the files of one of them below a directory. From there on only files
// count: [Overlay] gives the map that makes one tree build with the other
// tree's code ([PastOverlay] names the files for which that does not suffice),
// [Changes] says which files differ and on which lines, [Modules]
// lists the Go modules of a tree.
//
// # Reading, never writing
//
// Objects, references and the index are read with go-git's storage, over a file
// system that refuses every operation that would write, and the working tree is
// only walked and copied. No git command is run, no lock is taken, the index is
// not refreshed. git.PlainOpen is not used: it refuses repositories with
// extensions that do not matter to a reader (sparse checkouts turn on
// worktreeConfig, partial clones partialClone), and it follows alternates only
// where their path is absolute. Names are resolved here as well, because
// go-git prefers an abbreviated hash to a branch of the same name, takes the
// first of several objects for an ambiguous one, and reads "^3" as "^2"; so is
// the merge base, because go-git's walk drops the error of a history that ends
// too early and then answers "none".
//
// A repository that borrows objects (alternates) is read to the end of the chain.
// Blobs are written out one by one; blobs above a few megabytes are streamed.
//
// # The working tree
//
// A working tree is what `git add --all` would commit: tracked files as they are
// on disk, whatever is staged, and untracked files that are not ignored. Ignore
// rules come from nested .gitignore files, info/exclude and core.excludesFile.
// go-git's gitignore package is not used, since it differs from git where a
// negated pattern names a directory, for "**/a/b" below "a/a", and for "[!a]"; a test holds the matcher here against git itself. Files that a sparse
// checkout left out come from the index: they are not deleted. Tracked text
// that differs from the index only in its line ends (core.autocrlf) is written
// as the index has it, or every line would count as changed.
//
// # What it cannot do
//
// SHA-256 object names and reftable references are not supported, and are told
// by an [UnsupportedError]. Content filters (Git LFS, git-crypt), eol and ident
// attributes are not applied; Git LFS pointers are named in the notes.
// Submodules and nested repositories are left out, and named in the notes; so are files
// whose content the repository does not have, unless the go command builds them.
// include.path in configuration files, GIT_DIR and its relatives, grafts and
// replace references are not followed. Reflog expressions (main@{1}),
// ":/text" and "^{/text}" are not understood, and said not to be.
package revision
