//go:build unix

package regular

import "syscall"

const (
	dontWait   = syscall.O_NONBLOCK
	dontFollow = syscall.O_NOFOLLOW
)
