// Package evaluatetest runs evaluations in their tests: small ones, whose figures it
// reads, and such as must be refused for their arguments. A test's main function has
// to call sandbox.Helper itself, since the test binary becomes the sandbox's helper.
package evaluatetest
