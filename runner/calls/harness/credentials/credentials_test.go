package credentials

import (
	"crypto/x509"
	"testing"
	"time"
)

// The certificate is one of the key, and an authority that knows it by its names takes it at any time that calls are made at.
func TestFit(t *testing.T) {
	t.Parallel()
	c := Certificate()
	if !RSAKey().PublicKey.Equal(c.PublicKey) || !RSAPublicKey().Equal(c.PublicKey) {
		t.Error("the certificate is of another key")
	}
	roots := x509.NewCertPool()
	roots.AddCert(c)
	for _, name := range []string{"example.com", "localhost", "127.0.0.1"} {
		for _, at := range []time.Time{time.Unix(1_000_000_000, 0), time.Unix(1_700_000_000, 0), time.Unix(4_000_000_000, 0)} {
			if _, err := c.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: at}); err != nil {
				t.Errorf("%s at %s: %v", name, at, err)
			}
		}
	}
	if len(KeyPair().Certificate) != 1 || !ECKey().PublicKey.Equal(ECPublicKey()) || !EdPublicKey().Equal(EdKey().Public()) {
		t.Error("what belongs together does not fit")
	}
}
