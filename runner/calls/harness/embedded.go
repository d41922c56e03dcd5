package harness

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// files holds the files to inject: all but this one and the tests. Package
// gosource imports this one, so its files are named here.
//
//go:embed abroad.go accepts.go adapt.go addressed.go affine.go aim.go amplify.go anew.go answer.go answering.go anything.go askedname.go assign.go assigned.go back.go buffer.go builder.go calling.go change.go command.go commandtext.go compose.go connection.go copy.go cost.go credential.go cpu_other.go cpu_unix.go document.go documentwriter.go entries.go entry.go equal.go fence.go fields.go files.go fits.go fresh.go generate.go given.go group.go grow.go http.go kinds.go knob.go layout.go leads.go leaves.go lines.go literals.go machine.go measure.go memory.go mutate.go named.go names.go nearby.go nook.go numeric.go odd.go output.go ownfolder.go path.go plain.go prepare.go question.go rand.go rare.go recode.go record.go reenter.go registers.go registry.go relate.go repeat.go reply.go roundtrip.go route.go seeds.go selector.go serve.go setting.go shape.go sight.go sources.go special.go splice.go standin.go stepwise.go stock.go stub.go surroundings.go tb.go telling.go temporary.go timezone.go tostate.go undertest.go unrouted.go url.go values.go valuewriter.go varied.go waiting.go ways.go words.go written.go yields.go gosource/adapted.go gosource/address.go gosource/answer.go gosource/answering.go gosource/back.go gosource/call.go gosource/calling.go gosource/code.go gosource/command.go gosource/credential.go gosource/describe.go gosource/files.go gosource/input.go gosource/literal.go gosource/naming.go gosource/recoded.go gosource/reference.go gosource/replying.go gosource/served.go gosource/setting.go gosource/source.go gosource/special.go gosource/stub.go gosource/surroundings.go gosource/typename.go gosource/view.go gosource/viewparts.go gosource/written.go credentials/credentials.go serving/answering.go serving/replying.go serving/serving.go
var files embed.FS

// Overlay writes this package, package gosource and package wire below dir. It
// returns the files that they consist of, below goroot, beside the probe's, and what
// stands in for each.
func Overlay(goroot, dir string) (map[string]string, error) {
	replace := map[string]string{}
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
			name = filepath.Join(p.folder, filepath.FromSlash(name))
			file := filepath.Join(dir, name)
			replace[filepath.Join(goroot, "src", probe.Path, name)] = file
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return probe.WriteFile(file, injected(content))
		})
		if err != nil {
			return nil, err
		}
	}
	return replace, nil
}

// Imports as they stand in the sources, up to where they go on.
const (
	probeImport = `"github.com/isodelta/isodelta/runner/probe"`
	ownImports  = `"github.com/isodelta/isodelta/runner/calls/`
)

// injected has a source import what stands beside it.
func injected(content []byte) []byte {
	content = bytes.ReplaceAll(content, []byte(probeImport), []byte(`"`+probe.Path+`"`))
	return bytes.ReplaceAll(content, []byte(ownImports), []byte(`"`+probe.Path+`/`))
}
