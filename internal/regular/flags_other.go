//go:build !unix

package regular

const dontWait, dontFollow = 0, 0
