//go:build !race

package automr

const raced = false
