package schema

import _ "embed"

//go:embed stream.schema.json
var stream string

// Stream returns the schema.
func Stream() []byte { return []byte(stream) }
