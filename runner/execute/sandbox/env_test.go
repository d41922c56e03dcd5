package sandbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"pgregory.net/rapid"
)

func TestScrubEnv(t *testing.T) {
	t.Parallel()
	keep := []string{
		"PATH=/usr/bin", "HOME=/home/someone", "USER=someone", "SHELL=/bin/sh", "PWD=/tmp", "OLDPWD=/",
		"TMPDIR=/tmp", "LANG=C.UTF-8", "LC_ALL=C", "TZ=UTC", "TERM=xterm", "CI=true", "GITHUB_ACTIONS=true",
		"GITHUB_REPOSITORY=owner/name", "GITHUB_SHA=0123", "RUNNER_OS=Linux",
		"GOROOT=/usr/local/go", "GOPATH=/go", "GOCACHE=/c", "GOMODCACHE=/m", "GOFLAGS=-mod=mod", "GOPROXY=off",
		"GOPRIVATE=example.com/*", "GODEBUG=x=1", "GOTOOLCHAIN=local", "GOMAXPROCS=1", "CGO_ENABLED=0", "CC=gcc",
		"PKG_CONFIG_PATH=/p", "LD_LIBRARY_PATH=/l", "SSL_CERT_FILE=/c.pem", "XDG_CACHE_HOME=/x",
		"HTTP_PROXY=http://proxy.example:3128", "NO_PROXY=localhost", "HTTPS_PROXY=http://user@proxy.example",
		"MONKEY=1", "KEYBOARD=de", "TOKENIZERS_PARALLELISM=false", "COMPASS=north", "AUTHOR=someone", "EMAIL=a@example.com",
		"PAGER=less", "GIT_AUTHOR_NAME=someone", "LS_COLORS=x", "GIT_PAGER=cat", "BYPASSED=1", "=C:=C:\\x",
	}
	remove := []string{
		"GITHUB_TOKEN=x", "GH_TOKEN=x", "ACTIONS_RUNTIME_TOKEN=x", "ACTIONS_ID_TOKEN_REQUEST_URL=https://x", "ACTIONS_CACHE_URL=x",
		"GITHUB_ENV=/f", "GITHUB_OUTPUT=/f", "GITHUB_PATH=/f", "GITHUB_STEP_SUMMARY=/f",
		"MY_SECRET=x", "CLIENT_SECRET_FILE=/x", "DB_PASSWORD=x", "PGPASSWORD=x", "MYSQL_PWD_FILE=/x", "database_password=x",
		"OPENAI_API_KEY=x", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_PROFILE=x", "DEPLOY_KEY=x",
		"SIGNING_PRIVATE_KEY=x", "GPG_PRIVATE_KEY_BASE64=x", "APIKEY=x", "SERVICE_APIKEY=x", "STRIPE_KEY=x",
		"GOOGLE_APPLICATION_CREDENTIALS=/x", "AZURE_CLIENT_ID=x", "SSH_AUTH_SOCK=/x", "SSH_AGENT_PID=1",
		"NPM_TOKEN=x", "NPM_CONFIG__AUTH=x", "NODE_AUTH_TOKEN=x", "CARGO_REGISTRY_TOKEN=x", "DOCKER_HOST=unix:///x", "KUBECONFIG=/x",
		"VAULT_ADDR=x", "SENTRY_DSN=https://x", "SLACK_WEBHOOK_URL=x", "CODECOV_TOKEN=x", "GOAUTH=netrc",
		"HTTPS_PROXY=http://user:pass@proxy.example:3128", "GOPROXY=https://u:p@goproxy.example,direct",
		"DATABASE_URL=postgres://u:p@db.example/x?sslmode=disable", "REDIS_URL=redis://:p@cache.example",
	}
	kept, removed := sandbox.ScrubEnv(append(slices.Clone(keep), remove...))
	if !slices.Equal(kept, keep) {
		for _, e := range keep {
			if !slices.Contains(kept, e) {
				t.Errorf("removed %s", e)
			}
		}
		for _, e := range kept {
			if !slices.Contains(keep, e) {
				t.Errorf("kept %s", e)
			}
		}
	}
	if len(removed) != len(remove) || !slices.IsSorted(removed) {
		t.Errorf("removed %v", removed)
	}
	for _, name := range removed {
		if strings.Contains(name, "=") {
			t.Errorf("a value is among the names: %s", name)
		}
	}
}

// Nothing is lost, nothing invented, and scrubbing again changes nothing.
func TestScrubEnvSplits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"TOKEN", "KEY", "API", "GO", "PATH", "A", "SECRET", "_", "http://a:b@c", "NPM", "x"})
		entry := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "name"), "_") + "=" + word.Draw(t, "value")
		})
		env := rapid.SliceOf(entry).Draw(t, "env")
		kept, removed := sandbox.ScrubEnv(env)
		if len(kept)+len(removed) != len(env) {
			t.Fatalf("%d kept and %d removed of %d", len(kept), len(removed), len(env))
		}
		for _, e := range kept {
			name, value, _ := strings.Cut(e, "=")
			if strings.Contains("_"+name+"_", "_TOKEN_") || strings.Contains("_"+name+"_", "_SECRET_") || value == "http://a:b@c" {
				t.Fatalf("kept %s", e)
			}
		}
		again, more := sandbox.ScrubEnv(kept)
		if len(more) > 0 || !slices.Equal(again, kept) {
			t.Fatalf("scrubbing again removed %v", more)
		}
	})
}
