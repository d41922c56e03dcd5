package surface

import (
	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/probe"
)

const credentialsPath = probe.Path + "/harness/credentials"

// givenCredentials are the operations that give keys and certificates: the package whose types say that one is wanted, the operation's name,
// and the function of package credentials that it calls.
var givenCredentials = []struct{ path, name, fn string }{
	{"crypto/rsa", harness.RSAKey, "RSAKey"},
	{"crypto/rsa", harness.RSAPublicKey, "RSAPublicKey"},
	{"crypto/ecdsa", harness.ECKey, "ECKey"},
	{"crypto/ecdsa", harness.ECPublicKey, "ECPublicKey"},
	{"crypto/ed25519", harness.EdKey, "EdKey"},
	{"crypto/ed25519", harness.EdPublicKey, "EdPublicKey"},
	{"crypto/x509", harness.Certificate, "Certificate"},
	{"crypto/tls", harness.KeyPair, "KeyPair"},
	{"crypto", harness.RSAKey, "RSAKey"}, // a Signer, or a Decrypter
}

// credentials registers what gives keys and certificates, where the package under test names their types.
func (w *writer) credentials() {
	given := map[string]bool{}
	for _, c := range givenCredentials {
		if w.head.pkg.Code.Imports[c.path] == nil || given[c.name] {
			continue
		}
		given[c.name] = true
		w.line(len(w.api.ops), "isodeltaH.Credential(isodeltaH.Operation{Name: %[1]q, Expr: %[1]q, Package: %[2]q, Exported: true, Hook: -1}, %[3]s.%[4]s)",
			c.name, w.api.Package, w.api.Import(credentialsPath), c.fn)
		w.api.ops = append(w.api.ops, Operation{Name: c.name, Package: w.api.Package, Exported: true, OfTest: true, hook: -1})
	}
}

// credentialTexts are texts of keys and certificates for a package that may read them.
func credentialTexts(p *packages.Package) (texts []string) {
	for _, path := range []string{"encoding/pem", "crypto/x509", "crypto/tls"} {
		if p.Imports[path] != nil {
			for _, name := range []string{harness.RSAKey, harness.RSAPublicKey, harness.ECKey, harness.EdKey, harness.Certificate} {
				texts = append(texts, harness.CredentialText(name))
			}
			return texts
		}
	}
	return nil
}
