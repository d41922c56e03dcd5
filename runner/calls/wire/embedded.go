package wire

import "embed"

// Source holds the files to inject: all but this one and the tests.
//
//go:embed aim.go code.go cost.go frame.go inplace.go literal.go note.go numbers.go op.go question.go reader.go relation.go sequence.go size.go special.go sweep.go trace.go types.go values.go view.go
var Source embed.FS
