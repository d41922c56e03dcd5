// Package demo holds a small repository with two commits, in which the second
// one changes behaviour in a way that its tests cannot see: Figure 1 of the
// ISON paper, in Go.
//
// It can only be built in an empty directory, and it is as small as it looks:
// it shows what a report is like, not what the tool can do.
package demo
