package harness

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// files holds the files to inject: all but this one and the tests. Package
// gosource imports this one, so its files are named here.
//
//go:embed amplify.go builder.go change.go copy.go cpu_other.go cpu_unix.go entry.go equal.go fresh.go generate.go group.go layout.go machine.go mutate.go numeric.go plain.go question.go rand.go record.go registry.go relate.go serve.go sources.go special.go stock.go gosource/address.go gosource/call.go gosource/code.go gosource/describe.go gosource/literal.go gosource/naming.go gosource/reference.go gosource/source.go gosource/special.go gosource/typename.go gosource/view.go gosource/viewparts.go
var files embed.FS

// Write writes this package, package gosource and package wire below dir, each in
// the folder that an import of it names, and returns the names of the files, with
// slashes. They are to stand in the folder isodeltaprobe of the module, whose own
// package is the probe.
func Write(dir, module string) ([]string, error) {
	var names []string
	for _, p := range []struct {
		folder string
		files  fs.FS
	}{{"wire", wire.Source}, {"harness", files}} {
		err := fs.WalkDir(p.files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := fs.ReadFile(p.files, name)
			if err != nil {
				return err
			}
			name = path.Join(p.folder, name)
			names = append(names, name)
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file, injected(content, module), 0o644)
		})
		if err != nil {
			return nil, err
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
