// Package sweep runs isodelta on the newest commits of many repositories, to see that it
// comes to an end, in time, with the right exit status, and leaves nothing behind.
//
// # How
//
// The argument is a folder of clones, each owner+name/repo, owner+name or name. Of each,
// the newest commits that change a Go file which is no test are compared with their
// parents, in a clone of its own that nothing is checked out in; merges are left out. A comparison is
// wrong if its exit status is none of those that the documentation names, if it has a
// status of success and no summary, or if something panicked; late if it takes 1.15 times
// its budget, and a second for the process itself; untidy if a file is left in the folder
// for temporary files, or written beside the clone's git directory. With -streams what was
// found is kept, to be read.
//
// # What it cannot do
//
// Whether what is reported is true is for package commits, and for people, to say. A
// repository whose tests need what is not here is listed as it ends.
package sweep
