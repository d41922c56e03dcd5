package harness

import "embed"

// Source holds the files to inject beside package probe: all but this one and
// the tests.
//
//go:embed amplify.go builder.go change.go copy.go entry.go fresh.go generate.go layout.go literal.go machine.go mutate.go naming.go plain.go program.go question.go rand.go record.go registry.go serve.go size.go source.go special.go specialsource.go stock.go trace.go typename.go view.go
var Source embed.FS
