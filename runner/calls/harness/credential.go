//go:build go1.21

package harness

import "strings"

// Keys and certificates are hardly made by chance, and code that takes them does little with any other. Those here
// are well known: they were made for tests, and are worth nothing elsewhere.

// Names of the operations that give them, see package credentials.
const (
	RSAKey       = "rsaKey"
	RSAPublicKey = "rsaPublicKey"
	ECKey        = "ecKey"
	ECPublicKey  = "ecPublicKey"
	EdKey        = "edKey"
	EdPublicKey  = "edPublicKey"
	Certificate  = "certificate" // of RSAKey, for example.com, signed by itself, until 2099
	KeyPair      = "keyPair"     // both, as a server has them
)

// CredentialText returns, in PEM, a private key in PKCS #8, RSAPublicKey or Certificate by its name, "" for another name.
func CredentialText(name string) string {
	switch name {
	case RSAKey:
		return privateKey(rsaText)
	case ECKey:
		return privateKey(ecText)
	case EdKey:
		return privateKey(edText)
	case RSAPublicKey:
		return rsaPublicText
	case Certificate:
		return certificateText
	}
	return ""
}

// privateKey gives a text the words that it has as a key. They do not stand in sources, where tools look for secrets.
func privateKey(text string) string { return strings.ReplaceAll(text, "TESTING KEY", "PRIVATE KEY") }

// Credential registers an operation that gives a key or a certificate.
func Credential(o Operation, give any) {
	o.Credential = true
	Func(o, give)
}

const rsaText = `-----BEGIN TESTING KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCyDSitumoLm7Ao
VZkltekAqM16uZn51wKEYkFrsmIBtmn49512S6uKHSpWRWWnKrezf9ER+iyg2xfq
pZAlUiKa+JbBfkuVEE5cgqCoZl8bTJo/cR9LJ8lUgs+L8mvyUw4uuulzODkY5gbd
LOTb7jj9q2Li5EBYcBHQZjse8NN9WTugP9PthKUyYJwEZ4FDQQTl2pf08BpNUbXk
ZssQ5DXgyr4tSee+FD5gK4DRMlRkPDRKf7+lGkLCO7PE8so5I0bVhrY/Qg0Uczpo
09ybM774QEKbVLF66PfY27poEzzuusDLCbLHwGahfNl9mfZEnfw8ce2oWuR+/OaM
HtD9wqq1AgMBAAECggEAHKaY6+GyFEWcclUZ1HNh98Dx9aRdllImncpYyB13f1qM
0Wr469Lv2sToLeMzYROy5T+1Uwz8dvLidZfoKtU9a84CJkcuHuG1llXPx+FXPwOT
048er7+Kel6lSpn7DE6YmuTpUWjT6UGEi70gY5KBGbKlMij0ALch6rS0oT0z7viy
2q6lx5DLSerlt3BvZ7WO9LLZjM1CRCbcbnsnr445NtJ2UEX1hVI5oNUK2M68PThz
lLcdPCvIzfr2SxCwUBLFAj//id2sWgQtvuVFDV9Db2rkyvotiYGxDp/fjRyCniRf
aNZegYp0V3bQsZDYikFjPlzpuBDFD3q7ZQJooXepKQKBgQDKBbWy34Qakny3ZciY
i0rfzgUCRHV+CQUxYgiNG591KD9RIff+UVifq0AT5rD1Ic3P7IjZUsaLi3d+B+le
I/karF7XEkmF4Ejk7zMHg+/jYc8vG5s2N0A6DSmzpn1VFxT+QF/KRHe1BfCUE5fi
kp0B+ai1gfuIz2I+hkkGfYRdCQKBgQDhn9f5eAWt4pyyXi23uMHlBk/2RtHdrCB3
4LrPtpq5D5pxY8vgFYladKWeKXFeGGmN0aYvmGpBepvuRYleFOhotvigEc7MxZdX
X3J0twfUdWCCYpCPK+mXSywSWRRUz1oIQT+wnxR7EDFEBvhxdKygnmJ142XFEhNL
f4Z7CHf3TQKBgQChMyknD99TbKwDkz4bKpqWNsgcZQ/zf7MbEoSMRAxa6cCMNrSx
w6sZzQYWWy+8ijq1vKH992TiGGlCsYFvUvkEZaJPrxHnt22y74Mibg7Ou08c4cRZ
4IBpUfOCnEjJyt8/eZJ1zWhPk+vB3FiHvEF4QAR0wME7C2/zQCeo/CLQMQKBgF/b
zaLL/321PeX6ZWodMSPg3rA/voJz0webj0MYzfu6SV/Lip8WB1lLHeJosSXNMWtz
myu1kc9oDD/bg1VZhLSYqGE5r6cIfBg/ER3NdaIqjGpY/hoWChShd4QEHMM7pYDE
WA7uR4FRi9zfKUbqzz0eja6QgniMCW6WK8ix/GYxAoGAJS6/hHBm0pTMNiaQ8Mj6
/exvKbU0TVckxVPCK4gY2IOwfdT338yLrqjuFGHcTExsk8MMCPR64yH7c0U2PJAc
zoz+sQsTmnb7HT5BXuVJ3Ma9yPWrbCDuAU3jS7uDzaUBAZyyN946eX6237WlG2nE
0AQ6rO4sqUrl6veOKEnsFXk=
-----END TESTING KEY-----
`

const ecText = `-----BEGIN TESTING KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg10zSVmM0g77ALqPO
berMibLgkXChadQCwTKlGNCwDZChRANCAATx8EwuKacWfpHzh9WGiiS3pV6KHhPc
m2D4pjCud6J3o/raQ9IjbC+PrXqYgVzaTgiSoIGr5GgEffx/gw+HWkVF
-----END TESTING KEY-----
`

const edText = `-----BEGIN TESTING KEY-----
MC4CAQAwBQYDK2VwBCIEIHl5LYMUmwBiNbydNmI8ayfIUjX/v2HcF/PchvgRFAUJ
-----END TESTING KEY-----
`

const rsaPublicText = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsg0orbpqC5uwKFWZJbXp
AKjNermZ+dcChGJBa7JiAbZp+Peddkurih0qVkVlpyq3s3/REfosoNsX6qWQJVIi
mviWwX5LlRBOXIKgqGZfG0yaP3EfSyfJVILPi/Jr8lMOLrrpczg5GOYG3Szk2+44
/ati4uRAWHAR0GY7HvDTfVk7oD/T7YSlMmCcBGeBQ0EE5dqX9PAaTVG15GbLEOQ1
4Mq+LUnnvhQ+YCuA0TJUZDw0Sn+/pRpCwjuzxPLKOSNG1Ya2P0INFHM6aNPcmzO+
+EBCm1Sxeuj32Nu6aBM87rrAywmyx8BmoXzZfZn2RJ38PHHtqFrkfvzmjB7Q/cKq
tQIDAQAB
-----END PUBLIC KEY-----
`

const certificateText = `-----BEGIN CERTIFICATE-----
MIIDazCCAlOgAwIBAgIBATANBgkqhkiG9w0BAQsFADAoMRAwDgYDVQQKEwdFeGFt
cGxlMRQwEgYDVQQDEwtleGFtcGxlLmNvbTAgFw0wMDAxMDEwMDAwMDBaGA8yMTAw
MDEwMTAwMDAwMFowKDEQMA4GA1UEChMHRXhhbXBsZTEUMBIGA1UEAxMLZXhhbXBs
ZS5jb20wggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCyDSitumoLm7Ao
VZkltekAqM16uZn51wKEYkFrsmIBtmn49512S6uKHSpWRWWnKrezf9ER+iyg2xfq
pZAlUiKa+JbBfkuVEE5cgqCoZl8bTJo/cR9LJ8lUgs+L8mvyUw4uuulzODkY5gbd
LOTb7jj9q2Li5EBYcBHQZjse8NN9WTugP9PthKUyYJwEZ4FDQQTl2pf08BpNUbXk
ZssQ5DXgyr4tSee+FD5gK4DRMlRkPDRKf7+lGkLCO7PE8so5I0bVhrY/Qg0Uczpo
09ybM774QEKbVLF66PfY27poEzzuusDLCbLHwGahfNl9mfZEnfw8ce2oWuR+/OaM
HtD9wqq1AgMBAAGjgZ0wgZowDgYDVR0PAQH/BAQDAgKkMB0GA1UdJQQWMBQGCCsG
AQUFBwMBBggrBgEFBQcDAjAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQIeyI/
nV2094/StdDZDSXNFb0S+zA5BgNVHREEMjAwggtleGFtcGxlLmNvbYIJbG9jYWxo
b3N0gRByb290QGV4YW1wbGUuY29thwR/AAABMA0GCSqGSIb3DQEBCwUAA4IBAQB1
tHGK4jHaZM3N4Ryd0PnJjD6WU8F/JTLuhcTp0nkn9yzAaAlNOKyqufuKu73UWDlT
w/t0O/t9NhefBgz0QJWV3BrnGGU3tyejiUcnosaTfqc1eI2QBbQxL+vtNSJM6/n3
8ezsEFkPixfMIrj8bEpZuA/IA5KPhD+feFLr3+8T6lRC0kxTbAS8bsnRAjFJI8z5
Va4TnNRfXqkJDtx0DhomC8SwUWGc2FN2WCArYoWt0vLxsv1yI/TFHay59MB9GfPv
2F/Pox/aIh80/KiGhFciNOlKKjwTNsIzA9Pf5feA8CtScIC0z+KXoUH3GquEA7qd
jp4l+QVoKsrDk5Es9vXk
-----END CERTIFICATE-----
`
