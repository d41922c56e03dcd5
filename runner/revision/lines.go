package revision

// Lines compares two texts by lines, as Changes does with files.
func Lines(base, head []byte) []Hunk { return hunks(base, head) }
