package sandbox

import (
	"net/url"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// SecretName reports whether a variable of this name is likely to hold a
// secret. It decides nothing: names are kept away unless they are known to be
// harmless. It tells which of those kept away are worth a word.
func SecretName(name string) bool {
	return secretName().MatchString(notWord().ReplaceAllString(name, "_"))
}

// notWord is what a container action's inputs have in their names, as in
// INPUT_GITHUB-TOKEN.
var notWord = lazyregexp.New(`[^A-Za-z0-9]+`)

// secretName matches whole words between underscores, so that MONKEY and
// TOKENIZERS_PARALLELISM do not, and KEY only with a word that makes it a
// secret or at the end of a name.
var secretName = lazyregexp.New(`(?i)` + strings.Join([]string{
	`(^|_)(TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWORDS|PASSWD|PASSPHRASE|PASS|PWD_FILE|CREDENTIAL|CREDENTIALS|CREDS|APIKEY|PAT|DSN|WEBHOOK|COOKIE|JWT|BEARER|AUTHORIZATION)(_|$)`,
	`[A-Z0-9](TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY)$`, // PGPASSWORD, AUTHTOKEN
	`(^|_)KEY$`,
	`(^|_)(API|ACCESS|PRIVATE|SECRET|SIGNING|SSH|GPG|PGP|ENCRYPTION|MASTER|DEPLOY|SERVICE|ACCOUNT|AUTH)_?KEYS?(_|$)`,
	`(^|_)AUTH$`,
	`^AWS_`, `^AZURE_`, `^VAULT_`,
}, "|"))

// tokenShape matches values that services mark as secrets by their form.
var tokenShape = lazyregexp.New(strings.Join([]string{
	`\bgh[pousr]_[A-Za-z0-9]{16,}`, `\bgithub_pat_[A-Za-z0-9_]{20,}`, `\bglpat-[\w-]{16,}`,
	`\bxox[abeoprs]-[\w-]{10,}`, `hooks\.slack\.com/services/`,
	`\b[sr]k_(live|test)_[A-Za-z0-9]{10,}`, `\bsk-[\w-]{20,}`,
	`\b(AKIA|ASIA)[0-9A-Z]{16}\b`, `\bAIza[\w-]{30,}`, `\bya29\.[\w-]{20,}`,
	`\bpypi-[\w-]{16,}`, `\bnpm_[A-Za-z0-9]{30,}`, `\bdop_v1_[0-9a-f]{32,}`, `\bhvs\.[\w-]{20,}`,
	`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}`, // a JSON web token
	`-----BEGIN [A-Z ]*PRIVATE KEY`, `\bAGE-SECRET-KEY-`,
	`(?i)\b(Bearer|Basic) +[\w.~+/=-]{8,}`, `(?i)\bauthorization:`,
	`(?i)[?&;](password|passwd|pwd|token|access_token|api_?key|secret)=[^&]`, // in an address
}, "|"))

// longestUser is how long a name in front of @ may be before it is taken for a
// token: several services take one there without a password.
const longestUser = 19

// secretValue reports whether a value has the form of a secret, or holds an
// address with one in it.
func secretValue(value string) bool {
	if tokenShape().MatchString(value) {
		return true
	}
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' || r == '|' || r == '\n' }) {
		if !strings.Contains(word, "://") || !strings.Contains(word, "@") {
			continue
		}
		_, address, _ := strings.Cut(word, "=") // a variable or setting in front
		if !strings.Contains(address, "://") {
			address = word
		}
		u, err := url.Parse(address)
		if err != nil {
			return true // not readable, and it looks like one
		}
		if _, ok := u.User.Password(); ok || len(u.User.Username()) > longestUser {
			return true
		}
	}
	return false
}

// tokenNames are the variables in which isodelta itself is given a token: of
// action.yml, of a container action, and where a workflow sets it by hand.
var tokenNames = []string{"INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN", "GITHUB_TOKEN", "GH_TOKEN"}

// shortestToken keeps a word that somebody sets in place of a token from taking
// other variables away.
const shortestToken = 12

// givenTokens are the tokens in an environment, to be kept out of every
// variable whatever its name.
func givenTokens(env []string) (tokens []string) {
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if value = strings.TrimSpace(value); slices.Contains(tokenNames, strings.ToUpper(name)) && len(value) >= shortestToken {
			tokens = append(tokens, value)
		}
	}
	return tokens
}

func holdsAny(value string, tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return strings.Contains(value, t) })
}
