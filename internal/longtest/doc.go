// Package longtest keeps the longest tests out of a plain go test ./..., so that
// it ends within minutes on a small machine.
//
// A test that needs tens of seconds calls [Skip] first. .ci/run sets [Switch]
// and runs all of them. -short leaves out more: everything that builds test
// binaries.
//
// It cannot tell how long a test takes: that a plain run stays short is seen by
// running it.
package longtest
