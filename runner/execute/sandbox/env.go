package sandbox

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// ScrubEnv splits an environment into the entries that a test may see and the
// sorted names of the others. A test sees what Go, a shell and a C compiler
// need and what says that it runs in a CI service; not the rest, whatever it is
// called, and of these nothing that holds a secret.
func ScrubEnv(env []string) (kept, removed []string) { return split(env, testNames) }

// BuildEnv is ScrubEnv for the go command, which besides fetches modules:
// proxies, the settings of git, an agent that signs for ssh. Files with
// passwords (netrc, git's credentials) are found by HOME.
func BuildEnv(env []string) (kept, removed []string) { return split(env, testNames, buildNames) }

func split(env []string, allowed ...func() *regexp.Regexp) (kept, removed []string) {
	tokens := givenTokens(env)
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		matches := func(re func() *regexp.Regexp) bool { return re().MatchString(name) }
		if slices.ContainsFunc(allowed, matches) && !secretValue(value) && !holdsAny(value, tokens) {
			kept = append(kept, entry)
		} else {
			removed = append(removed, name)
		}
	}
	slices.Sort(removed)
	return kept, slices.Compact(removed)
}

// testNames are the variables that tests may see. Not among them are GITHUB_SHA
// and its like, which say head's on both versions, GITHUB_WORKSPACE and
// GITHUB_EVENT_PATH, which lead to head's files, and GITHUB_OUTPUT and its like,
// which steer the following steps of a job.
var testNames = names(
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TERM", "TMPDIR",
	"LANG", "LANGUAGE", "LC_(ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)", "TZ", "ZONEINFO",
	"XDG_(CACHE|CONFIG|DATA|STATE|RUNTIME)_(HOME|DIR|DIRS)",
	"SSL_CERT_(FILE|DIR)",
	// Go, by name: a prefix would let GOOGLE_APPLICATION_CREDENTIALS through.
	"GO111MODULE", "GO386", "GOAMD64", "GOARCH", "GOARM", "GOARM64", "GOBIN", "GOCACHE", "GODEBUG", "GOENV", "GOEXPERIMENT",
	"GOFIPS140", "GOFLAGS", "GOGC", "GOINSECURE", "GOMAXPROCS", "GOMEMLIMIT", "GOMIPS", "GOMIPS64", "GOMODCACHE",
	"GONOPROXY", "GONOSUMDB", "GOOS", "GOPATH", "GOPPC64", "GOPRIVATE", "GOPROXY", "GORACE", "GORISCV64", "GOROOT",
	"GOSUMDB", "GOTELEMETRY", "GOTELEMETRYDIR", "GOTMPDIR", "GOTOOLCHAIN", "GOTRACEBACK", "GOVCS", "GOWASM", "GOWORK",
	// C, for cgo and for tests that build.
	"AR", "CC", "CXX", "FC", "GCCGO", "CGO_ENABLED", "CGO_(C|CPP|CXX|F|LD)FLAGS(_ALLOW|_DISALLOW)?", "PKG_CONFIG(_PATH|_LIBDIR|_SYSROOT_DIR|_ALLOW_SYSTEM_CFLAGS|_ALLOW_SYSTEM_LIBS)?", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CPATH",
	"LIBRARY_PATH", "(LD|DYLD|DYLD_FALLBACK)_LIBRARY_PATH", "SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET", "SOURCE_DATE_EPOCH",
	// Tests skip themselves, or wait longer, where they run in a CI service.
	"CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "RUNNER_OS", "RUNNER_ARCH", "ImageOS",
)

// buildNames are what the go command may see besides. What stands in a variable
// of it can end up in a binary: the assembler reads any file that head's code
// names, its own /proc/self/environ too.
var buildNames = names(
	"(HTTP|HTTPS|FTP|ALL|NO)_PROXY", "(http|https|ftp|all|no)_proxy",
	"GOAUTH", "GOCACHEPROG", "NETRC",
	"GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_[0-9]+|VALUE_[0-9]+)", "GIT_(EXEC_PATH|TEMPLATE_DIR|TERMINAL_PROMPT|SSH|SSH_COMMAND|SSH_VARIANT|SSL_CAINFO|SSL_CAPATH)",
	"SSH_AUTH_SOCK",
)

func names(patterns ...string) func() *regexp.Regexp {
	return lazyregexp.New(`^(?:` + strings.Join(patterns, "|") + `)$`)
}

// Removed says in a few words which variables were kept from the tests: how
// many, and by name those whose names are a secret's. Of those kept from the
// builds it names what the go command knows, which holds a secret then. It is
// "" for none.
func Removed(fromTests, fromBuilds []string) string {
	count := len(unique(fromTests))
	if count == 0 {
		return ""
	}
	text := "1 variable kept from the tests"
	if count > 1 {
		text = fmt.Sprintf("%d variables kept from the tests", count)
	}
	if secrets := slices.DeleteFunc(unique(fromTests), func(name string) bool { return !SecretName(name) }); len(secrets) > 0 {
		text += ", among them " + some(secrets)
	}
	known := func(name string) bool { return testNames().MatchString(name) || buildNames().MatchString(name) }
	if missed := slices.DeleteFunc(unique(fromBuilds), func(name string) bool { return !known(name) }); len(missed) > 0 {
		text += "; kept from the builds for the secret in it: " + some(missed)
	}
	return text
}

func unique(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// some lists names, but not endlessly.
func some(names []string) string {
	const maxNames = 6
	if more := len(names) - maxNames; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNames], ", "), more)
	}
	return strings.Join(names, ", ")
}
