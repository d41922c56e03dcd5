// Package longtest keeps the longest tests out of a plain go test ./..., so that
// it ends within minutes on a small machine.
//
// A test that needs tens of seconds calls [Skip] first. .ci/run sets [Switch]
// and runs all of them. Tests that run in a plain go test too, and take seconds,
// call [Plain] or ask [Only], so that .ci/run does not run them twice. -short leaves
// out more: everything that builds test binaries.
//
// It cannot tell how long a test takes: that a plain run stays short is seen by
// running it.
package longtest
