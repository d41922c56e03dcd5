//go:build race

package automr

// raced: this package starts no goroutines, and the race detector makes its
// searches ten times slower. What is slow is left to runs without it.
const raced = true
