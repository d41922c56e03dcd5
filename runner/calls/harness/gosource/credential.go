//go:build go1.21

package gosource

import (
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// keySource is what a test declares for a key: NAME, TYPE, TEXT and RESULT stand for what they say. Tools that look for secrets
// find none in it.
const keySource = `// NAME gives a key that was made for tests, and is worth nothing elsewhere.
func NAME() TYPE {
	block, _ := (encoding/pem)Decode([]byte((strings)ReplaceAll(TEXT, "TESTING KEY", "PRIVATE KEY")))
	key, err := (crypto/x509)ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	return RESULT
}
`

// certificateSource is the same for a certificate.
const certificateSource = `// NAME gives a certificate of example.com, with a key that was made for tests.
func NAME() *(crypto/x509)Certificate {
	block, _ := (encoding/pem)Decode([]byte(TEXT))
	c, err := (crypto/x509)ParseCertificate(block.Bytes)
	if err != nil {
		panic(err)
	}
	return c
}
`

// pairSource is the same for a certificate with its key, SECRET.
const pairSource = `// NAME gives a certificate of example.com, with its key, that were made for tests.
func NAME() (crypto/tls)Certificate {
	key := (strings)ReplaceAll(SECRET, "TESTING KEY", "PRIVATE KEY")
	pair, err := (crypto/tls)X509KeyPair([]byte(TEXT), []byte(key))
	if err != nil {
		panic(err)
	}
	return pair
}
`

// keys are the functions that give keys: the key that each begins with, its type, and what it gives of the key.
var keys = map[string]struct{ of, typ, result string }{
	harness.RSAKey:       {harness.RSAKey, "*(crypto/rsa)PrivateKey", "key.(*(crypto/rsa)PrivateKey)"},
	harness.RSAPublicKey: {harness.RSAKey, "*(crypto/rsa)PublicKey", "&key.(*(crypto/rsa)PrivateKey).PublicKey"},
	harness.ECKey:        {harness.ECKey, "*(crypto/ecdsa)PrivateKey", "key.(*(crypto/ecdsa)PrivateKey)"},
	harness.ECPublicKey:  {harness.ECKey, "*(crypto/ecdsa)PublicKey", "&key.(*(crypto/ecdsa)PrivateKey).PublicKey"},
	harness.EdKey:        {harness.EdKey, "(crypto/ed25519)PrivateKey", "key.((crypto/ed25519)PrivateKey)"},
	harness.EdPublicKey:  {harness.EdKey, "(crypto/ed25519)PublicKey", "key.((crypto/ed25519)PrivateKey).Public().((crypto/ed25519)PublicKey)"},
}

// credential names the function that gives a key or a certificate, which has a name of package harness.
func (w *writer) credential(name string) string {
	certificate := "`" + harness.CredentialText(harness.Certificate) + "`"
	switch name {
	case harness.Certificate:
		return w.declaring(name, strings.NewReplacer("NAME", name, "TEXT", certificate).Replace(certificateSource), "encoding/pem", "crypto/x509")
	case harness.KeyPair:
		return w.declaring(name, strings.NewReplacer("NAME", name, "TEXT", certificate, "SECRET", quotedKey(harness.RSAKey)).Replace(pairSource), "crypto/tls", "strings")
	}
	k, ok := keys[name]
	if !ok {
		return w.fail("the key %s %v", name, harness.ErrInvalid)
	}
	return w.declaring(name, strings.NewReplacer("NAME", name, "TYPE", k.typ, "TEXT", quotedKey(k.of), "RESULT", k.result).Replace(keySource),
		"encoding/pem", "strings", "crypto/x509", "crypto/rsa", "crypto/ecdsa", "crypto/ed25519")
}

// quotedKey writes down the text of a private key, without the words that tools look for.
func quotedKey(name string) string {
	return "`" + strings.ReplaceAll(harness.CredentialText(name), "PRIVATE KEY", "TESTING KEY") + "`"
}
