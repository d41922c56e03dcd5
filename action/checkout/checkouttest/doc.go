// Package checkouttest makes real git repositories as pull requests have them,
// serves them on loopback with git's own servers, and clones them as
// actions/checkout does. It is for tests.
package checkouttest
