// Package scratch makes folders for temporary files that do not outlive their
// makers for long: what a killed run left is removed by the next one that makes
// a folder in the same place.
//
// A folder holds a file that its maker keeps locked while it lives, so that the
// folder of a living run is never touched, whatever its age. Nor is one that
// belongs to another user, that has no such file, or that only has its name:
// links are not followed. Names are numbers, the lowest free one first, so that
// one run after the other has the same folder.
//
// What it cannot do: where the file system knows no locks (some network file
// systems), or on Windows, nothing is removed but the own folder.
package scratch
