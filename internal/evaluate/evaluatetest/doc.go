// Package evaluatetest runs evaluations in their tests: small ones, whose figures it
// reads, and such as must be refused for their arguments.
package evaluatetest
