package sandbox

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
)

// ScrubEnv splits an environment into the entries that a test may see and the
// sorted names of those taken out: tokens, passwords and keys by the words in
// their names, agents that sign, the internals of CI services, and any address
// with a password in it. What is needed to run Go and most tests stays.
func ScrubEnv(env []string) (kept, removed []string) {
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if name != "" && (secretName.MatchString(name) || hasPassword(value)) {
			removed = append(removed, name)
			continue
		}
		kept = append(kept, entry)
	}
	sort.Strings(removed)
	return kept, removed
}

// secretName matches whole words between underscores, so that MONKEY and
// TOKENIZERS_PARALLELISM stay, and KEY only with a word that makes it a secret
// or at the end of a name.
var secretName = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`(^|_)(TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWORDS|PASSWD|PASSPHRASE|PASS|PWD_FILE|CREDENTIAL|CREDENTIALS|CREDS|APIKEY|PAT|DSN|WEBHOOK|COOKIE|JWT|BEARER)(_|$)`,
	`[A-Z0-9](TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY)$`, // PGPASSWORD, AUTHTOKEN
	`(^|_)KEY$`,
	`(^|_)(API|ACCESS|PRIVATE|SECRET|SIGNING|SSH|GPG|PGP|ENCRYPTION|MASTER|DEPLOY|SERVICE|ACCOUNT|AUTH)_?KEYS?(_|$)`,
	`(^|_)AUTH$`, // NPM_CONFIG__AUTH, GOAUTH is kept by the underscore
	`^ACTIONS_`,
	`^AWS_`, `^AZURE_`, `^ARM_CLIENT_`, `^GOOGLE_`, `^GCLOUD_`, `^CLOUDSDK_`, `^DIGITALOCEAN_`, `^HEROKU_`,
	`^VAULT_`, `^TF_VAR_`, `^DOCKER_`, `^KUBE`, `^NPM`, `^NODE_AUTH`, `^TWINE_`, `^CARGO_REGISTR`,
	`^SSH_(AUTH_SOCK|AGENT_PID|ASKPASS|CONNECTION|CLIENT)$`, `^GPG_AGENT_INFO$`, `^DBUS_SESSION_BUS_ADDRESS$`,
	`^GIT_(ASKPASS|SSH|SSH_COMMAND|CONFIG_.*)$`,
	`^GITHUB_(ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$`, // files that steer the following steps of a job
	`^GOAUTH$`,
}, "|"))

// hasPassword finds user:password@ in an address, or in one of several.
func hasPassword(value string) bool {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' || r == '|' }) {
		if !strings.Contains(word, "@") {
			continue
		}
		if !strings.Contains(word, "://") {
			continue
		}
		u, err := url.Parse(word)
		if err != nil {
			return true // not readable, and it looks like one
		}
		if _, ok := u.User.Password(); ok {
			return true
		}
	}
	return false
}
