package harness

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// files holds the files to inject, all but this one and the tests.
//
//go:embed address.go amplify.go builder.go change.go code.go copy.go cpu_other.go cpu_unix.go entry.go equal.go fresh.go generate.go group.go layout.go literal.go machine.go mutate.go naming.go numeric.go plain.go question.go rand.go record.go reference.go registry.go relate.go serve.go source.go sourcecall.go sources.go special.go specialsource.go stock.go typename.go view.go viewparts.go
var files embed.FS

// Write writes package harness and those of its own that it imports below dir,
// each in the folder of its name, and returns the names of the files, with
// slashes. They are to stand below the folder isodeltaprobe of the module, whose
// package is the probe.
func Write(dir, module string) ([]string, error) {
	var names []string
	for _, p := range []struct {
		name  string
		files fs.FS
	}{{"wire", wire.Source}, {"harness", files}} {
		list, err := fs.ReadDir(p.files, ".")
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Join(dir, p.name), 0o755); err != nil {
			return nil, err
		}
		for _, f := range list {
			content, err := fs.ReadFile(p.files, f.Name())
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(dir, p.name, f.Name()), injected(content, module), 0o644); err != nil {
				return nil, err
			}
			names = append(names, p.name+"/"+f.Name())
		}
	}
	return names, nil
}

// Imports as they stand in the sources, up to where they go on.
const (
	probeImport = `"github.com/isodelta/isodelta/runner/probe"`
	ownImports  = `"github.com/isodelta/isodelta/runner/calls/`
)

// injected has a source import what stands beside it in the module.
func injected(content []byte, module string) []byte {
	at := strconv.Quote(module + "/isodeltaprobe")
	content = bytes.ReplaceAll(content, []byte(probeImport), []byte(at))
	return bytes.ReplaceAll(content, []byte(ownImports), []byte(at[:len(at)-1]+"/"))
}
