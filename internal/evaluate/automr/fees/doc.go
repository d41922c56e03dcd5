// Package fees holds ten functions of the kind that shops, posts and tax offices
// have: thresholds, constants far beyond 20, and nothing at all to pay for half of
// the inputs. The programs of the AutoMR paper are smooth and have none of this.
//
// The file fees.go is frozen: a test of package automr holds its digest, so that
// nothing can be tuned to it unnoticed.
package fees
