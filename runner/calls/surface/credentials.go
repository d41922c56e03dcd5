package surface

import (
	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/probe"
)

const credentialsPath = probe.Path + "/harness/credentials"

// givenCredentials are the operations that give keys and certificates, by the package whose types they are of, and the function of package
// credentials that each of them calls.
var givenCredentials = map[string][][2]string{
	"crypto":         {{harness.RSAKey, "RSAKey"}},
	"crypto/rsa":     {{harness.RSAKey, "RSAKey"}, {harness.RSAPublicKey, "RSAPublicKey"}},
	"crypto/ecdsa":   {{harness.ECKey, "ECKey"}, {harness.ECPublicKey, "ECPublicKey"}},
	"crypto/ed25519": {{harness.EdKey, "EdKey"}, {harness.EdPublicKey, "EdPublicKey"}},
	"crypto/x509":    {{harness.Certificate, "Certificate"}},
	"crypto/tls":     {{harness.KeyPair, "KeyPair"}},
}

// credentials registers what gives keys and certificates, where the package under test names their types.
func (w *writer) credentials() {
	given := map[string]bool{}
	for _, path := range []string{"crypto/rsa", "crypto/ecdsa", "crypto/ed25519", "crypto/x509", "crypto/tls", "crypto"} {
		if w.head.pkg.Code.Imports[path] == nil {
			continue
		}
		for _, c := range givenCredentials[path] {
			if name, fn := c[0], c[1]; !given[name] {
				given[name] = true
				w.line(len(w.api.ops), "isodeltaH.Credential(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, %s.%s)",
					name, name, w.api.Package, w.api.Import(credentialsPath), fn)
				w.api.ops = append(w.api.ops, Operation{Name: name, Package: w.api.Package, Exported: true, OfTest: true, hook: -1})
			}
		}
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
