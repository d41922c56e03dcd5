// Package figure holds what evaluations print with: figures for machines
// (name=value lines), tables for people, the statistics of both, and the
// machine they come from. What could not be measured is NaN, which statistics
// leave out and tables show as a dash.
package figure
