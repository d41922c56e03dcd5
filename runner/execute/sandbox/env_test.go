package sandbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"pgregory.net/rapid"
)

// Variables by what may see them. Names of point 9 of the review stand among
// those that nobody may.
var (
	forTests = []string{
		"PATH=/usr/bin", "HOME=/home/someone", "USER=someone", "SHELL=/bin/sh", "PWD=/tmp",
		"TMPDIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C", "TZ=UTC", "TERM=xterm", "CI=true", "GITHUB_ACTIONS=true", "RUNNER_OS=Linux",
		"GOROOT=/usr/local/go", "GOPATH=/go", "GOCACHE=/c", "GOMODCACHE=/m", "GOFLAGS=-mod=mod", "GOPROXY=https://someone@goproxy.example,direct",
		"GOPRIVATE=example.com/*", "GODEBUG=x=1", "GOTOOLCHAIN=local", "GOMAXPROCS=1", "CGO_ENABLED=0", "CGO_CFLAGS=-O2 -g", "CC=gcc",
		"PKG_CONFIG_PATH=/p", "LD_LIBRARY_PATH=/l", "SSL_CERT_FILE=/c.pem", "XDG_CACHE_HOME=/x",
	}
	forBuilds = []string{
		"HTTP_PROXY=http://proxy.example:3128", "no_proxy=localhost", "HTTPS_PROXY=http://user@proxy.example",
		"GOAUTH=netrc", "NETRC=/home/someone/.netrc", "SSH_AUTH_SOCK=/tmp/agent", "GIT_SSH_COMMAND=ssh -i /key",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
	}
	forNobody = []string{
		"GITHUB_TOKEN=x", "GH_TOKEN=x", "INPUT_GITHUB_TOKEN=x", "INPUT_GITHUB-TOKEN=x", "INPUT_BASE=main",
		"ACTIONS_RUNTIME_TOKEN=x", "ACTIONS_ID_TOKEN_REQUEST_URL=https://x", "ACTIONS_CACHE_URL=x",
		"GITHUB_ENV=/f", "GITHUB_OUTPUT=/f", "GITHUB_PATH=/f", "GITHUB_STEP_SUMMARY=/f", "GITHUB_EVENT_PATH=/f", "GITHUB_WORKSPACE=/w",
		"MY_SECRET=x", "CLIENT_SECRET_FILE=/x", "DB_PASSWORD=x", "PGPASSWORD=x", "MYSQL_PWD_FILE=/x", "database_password=x",
		"OPENAI_API_KEY=x", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_PROFILE=x", "DEPLOY_KEY=x",
		"GOOGLE_APPLICATION_CREDENTIALS=/x", "GOLDEN=x", "SSH_AGENT_PID=1", "NPM_CONFIG__AUTH=x", "KUBECONFIG=/x", "DOCKER_HOST=unix:///x",
		"SLACK_HOOK_URL=x", "STRIPE_SK=x", "APP_KEY_PEM=x", "TLS_CERT_P12=x", "PGPASSFILE=/x", "SIGNKEY=x", "PRIVKEY=x",
		"COSIGN_PRIVATE=x", "AUTHORIZATION=Bearer x", "JDBC=jdbc:postgresql://db/x?password=p", "SONAR_LOGIN=x", "PYPI=pypi-x", "1=x",
		"LD_PRELOAD=/evil.so", "DYLD_INSERT_LIBRARIES=/evil.dylib", "GIT_ASKPASS=/x", "UNKNOWN=x", "=C:=C:\\x",
		// Harmless by name, and not by value.
		"HTTPS_PROXY=http://user:pass@proxy.example:3128", "GOPROXY=https://u:p@goproxy.example,direct",
		"GOPROXY=https://0123456789abcdef0123@goproxy.example", "GOFLAGS=-ldflags=-X=main.t=ghp_0123456789abcdefABCDEF0123456789abcd",
		"CGO_CFLAGS=-DT=glpat-0123456789abcdef_xyz", "LC_NAME=sk_live_0123456789abcdef", "GOENV=AKIA0123456789ABCDEF",
		"GIT_CONFIG_VALUE_1=AUTHORIZATION: basic eDp5", "GIT_CONFIG_KEY_1=url.https://x:y@github.example/.insteadOf",
		"CC=-----BEGIN RSA PRIVATE KEY-----",
	}
)

func TestScrubEnv(t *testing.T) {
	t.Parallel()
	all := slices.Concat(forTests, forBuilds, forNobody)
	kept, removed := sandbox.ScrubEnv(all)
	same(t, "tests", kept, forTests)
	if !slices.IsSorted(removed) {
		t.Errorf("removed %v", removed)
	}
	for _, name := range removed {
		if strings.Contains(name, "=") {
			t.Errorf("a value is among the names: %s", name)
		}
	}
	kept, _ = sandbox.BuildEnv(all)
	same(t, "builds", kept, slices.Concat(forTests, forBuilds))
}

func same(t *testing.T, who string, got, want []string) {
	t.Helper()
	for _, e := range want {
		if !slices.Contains(got, e) {
			t.Errorf("%s do not see %s", who, e)
		}
	}
	for _, e := range got {
		if !slices.Contains(want, e) {
			t.Errorf("%s see %s", who, e)
		}
	}
}

// The token that isodelta was given is a secret in every variable.
func TestScrubEnvByTheTokensValue(t *testing.T) {
	t.Parallel()
	const token = "correct-horse-battery"
	for _, name := range []string{"INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN", "GITHUB_TOKEN", "GH_TOKEN"} {
		env := []string{"GOFLAGS=-tags=" + token, "LANG=" + token, "PATH=/bin", name + "=" + token}
		for who, scrub := range map[string]func([]string) ([]string, []string){"tests": sandbox.ScrubEnv, "builds": sandbox.BuildEnv} {
			kept, _ := scrub(env)
			same(t, who, kept, []string{"PATH=/bin"})
		}
	}
	kept, _ := sandbox.ScrubEnv([]string{"PATH=/bin", "GH_TOKEN=/bin", "CI=true", "GITHUB_TOKEN=true"})
	same(t, "tests", kept, []string{"PATH=/bin", "CI=true"})
}

func TestSecretName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "INPUT_GITHUB-TOKEN": true, "PGPASSWORD": true, "STRIPE_KEY": true, "SSH_PRIVATE_KEY_FILE": true,
		"AWS_PROFILE": true, "NPM_CONFIG__AUTH": true,
		"MONKEY": false, "KEYBOARD": false, "TOKENIZERS_PARALLELISM": false, "COMPASS": false, "AUTHOR": false, "LS_COLORS": false, "": false,
	} {
		if got := sandbox.SecretName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Nothing is lost, nothing invented, and scrubbing again changes nothing.
func TestScrubEnvSplits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"TOKEN", "KEY", "API", "GO", "PATH", "LC", "CGO", "A", "SECRET", "", "http://a:b@c", "NPM", "x"})
		entry := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "name"), "_") + "=" + word.Draw(t, "value")
		})
		env := rapid.SliceOf(entry).Draw(t, "env")
		kept, removed := sandbox.ScrubEnv(env)
		for _, e := range env {
			name, value, _ := strings.Cut(e, "=")
			if !slices.Contains(kept, e) && !slices.Contains(removed, name) {
				t.Fatalf("%s is neither kept nor removed", e)
			}
			if slices.Contains(kept, e) && (value == "http://a:b@c" || sandbox.SecretName(name)) {
				t.Fatalf("kept %s", e)
			}
		}
		for _, e := range kept {
			if !slices.Contains(env, e) {
				t.Fatalf("%s comes from nowhere", e)
			}
		}
		again, more := sandbox.ScrubEnv(kept)
		if len(more) > 0 || !slices.Equal(again, kept) {
			t.Fatalf("scrubbing again removed %v", more)
		}
	})
}
