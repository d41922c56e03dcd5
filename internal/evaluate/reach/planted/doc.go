// Package planted makes branches of which it is known whether an input takes them, to see
// that none is called infeasible that is not.
//
// # How
//
// Branches are drawn from templates with a seed. One that no input takes contradicts
// itself by an identity of integers, by an order, by lengths or by a rule of Go. One that
// an input takes looks much the same, but holds by wrap-around, by memory that two
// arguments share, behind a bound of the search, or because of something that has no
// equation; its input is made together with it, and Go itself is asked whether it takes
// the branch.
//
// # What it cannot do
//
// The templates are those that somebody thought of. They say nothing about how often a
// branch of real code can be decided.
package planted
