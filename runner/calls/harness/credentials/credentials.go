//go:build go1.21

package credentials

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// RSAKey returns the key of 2048 bits.
func RSAKey() *rsa.PrivateKey { return key(harness.RSAKey).(*rsa.PrivateKey) }

// RSAPublicKey returns its public half.
func RSAPublicKey() *rsa.PublicKey { return &RSAKey().PublicKey }

// ECKey returns the key on the curve P-256.
func ECKey() *ecdsa.PrivateKey { return key(harness.ECKey).(*ecdsa.PrivateKey) }

// ECPublicKey returns its public half.
func ECPublicKey() *ecdsa.PublicKey { return &ECKey().PublicKey }

// EdKey returns the key on the curve Ed25519.
func EdKey() ed25519.PrivateKey { return key(harness.EdKey).(ed25519.PrivateKey) }

// EdPublicKey returns its public half.
func EdPublicKey() ed25519.PublicKey { return EdKey().Public().(ed25519.PublicKey) }

// Certificate returns the certificate of RSAKey.
func Certificate() *x509.Certificate {
	c, err := x509.ParseCertificate(decoded(harness.Certificate))
	if err != nil {
		panic(err)
	}
	return c
}

// KeyPair returns the certificate with its key.
func KeyPair() tls.Certificate {
	pair, err := tls.X509KeyPair([]byte(harness.CredentialText(harness.Certificate)), []byte(harness.CredentialText(harness.RSAKey)))
	if err != nil {
		panic(err)
	}
	return pair
}

func key(name string) any {
	k, err := x509.ParsePKCS8PrivateKey(decoded(name))
	if err != nil {
		panic(err)
	}
	return k
}

func decoded(name string) []byte {
	block, _ := pem.Decode([]byte(harness.CredentialText(name)))
	return block.Bytes
}
