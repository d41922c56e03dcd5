//go:build !linux

package execute

// idleness reports false: the system does not tell what threads do.
func idleness(int) (string, bool) { return "", false }
