package gosource

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What a test declares for keys and certificates is Go, gives what the calls are given, and shows no secret to tools that look for one.
func TestCredentialsAreDeclared(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		harness.RSAKey: "*crypto/rsa.PrivateKey", harness.RSAPublicKey: "*crypto/rsa.PublicKey",
		harness.ECKey: "*crypto/ecdsa.PrivateKey", harness.ECPublicKey: "*crypto/ecdsa.PublicKey",
		harness.EdKey: "crypto/ed25519.PrivateKey", harness.EdPublicKey: "crypto/ed25519.PublicKey",
		harness.Certificate: "*crypto/x509.Certificate", harness.KeyPair: "crypto/tls.Certificate",
	}
	w := newWriter(&harness.Registry{Package: "example.com/m"})
	for name := range want {
		w.credential(name)
	}
	body := ""
	for _, s := range w.stubs {
		body += wire.Qualify(s.Text, func(path string) string { return w.packages[path] + "." })
	}
	source := "package m\n"
	for path := range w.packages {
		source += fmt.Sprintf("import %q\n", path)
	}
	if strings.Contains(body, "BEGIN PRIVATE") {
		t.Error("tools that look for secrets find one")
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "m.go", source+body, 0)
	if err != nil || w.err != nil {
		t.Fatal(err, w.err)
	}
	p, err := (&types.Config{Importer: importer.ForCompiler(set, "source", nil)}).Check("m", set, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, typ := range want {
		if got := p.Scope().Lookup(name).Type().(*types.Signature).Results().At(0).Type().String(); got != typ {
			t.Errorf("%s gives %s, want %s", name, got, typ)
		}
	}
}
