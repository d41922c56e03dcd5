package event

import "strconv"

// Position writes where something stands as Relation.At has it and as people are
// shown it, "file:line". Where no line is known it is the file.
func Position(file string, line int) string {
	if line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}
