package harness

import "embed"

// Source holds the files to inject beside package probe: all but this one and
// the tests.
//
//go:embed address.go amplify.go builder.go change.go code.go copy.go cpu_other.go cpu_unix.go entry.go equal.go fresh.go generate.go group.go layout.go literal.go machine.go mutate.go naming.go numeric.go plain.go program.go question.go rand.go record.go reference.go registry.go relate.go serve.go size.go source.go sourcecall.go sources.go special.go specialsource.go stock.go trace.go typename.go view.go viewparts.go
var Source embed.FS
