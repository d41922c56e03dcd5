package fees

import _ "embed"

// Source is the file with the ten functions.
//
//go:embed fees.go
var Source []byte
