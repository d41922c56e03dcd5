//go:build !race

package swarm

const raced = false
