// Package symbolic looks for inputs of a function that take a branch by way of equations,
// where trying does not find any, and says where there are none.
package symbolic
