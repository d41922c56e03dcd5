package goals

import _ "embed"

// Source is the file with the goals.
//
//go:embed goals.go
var Source []byte
