package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit"
	"github.com/google/go-github/v60/github"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// defaultAPI is where GitHub itself answers.
const defaultAPI = "https://api.github.com"

// Options of a Client.
type Options struct {
	Token      string
	API        string // GITHUB_API_URL; "" is defaultAPI
	Repository string // owner/name
	Tool       string // version of isodelta, for the User-Agent
	Log        *slog.Logger
	// Login is the account that the token belongs to, "" to ask for it.
	Login string
	// MaxWait bounds the time slept because of rate limits, in all; 0 is two
	// minutes, negative is never.
	MaxWait time.Duration
	// Timeout of one request; 0 is 30 seconds.
	Timeout time.Duration
	// Pause before the first repetition, doubled before each further one; 0 is
	// one second.
	Pause time.Duration
}

// Client talks to the API of one repository. It is safe for concurrent use.
type Client struct {
	opt         Options
	owner, name string
	api         *github.Client
	plain       *http.Client // without the token, for artifacts
	log         *slog.Logger

	mu     sync.Mutex
	login  string        // own, once known
	waited time.Duration // for rate limits, of MaxWait
	roles  map[string]bool
}

var repositoryName = lazyregexp.New(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// New makes a client. It sends nothing yet.
func New(opt Options) (*Client, error) {
	if opt.Token == "" {
		return nil, errors.New("no GitHub token: pass one as the input github-token; ${{ github.token }} is enough")
	}
	if !repositoryName().MatchString(opt.Repository) {
		return nil, fmt.Errorf("%q is no repository; want owner/name, as in GITHUB_REPOSITORY", opt.Repository)
	}
	if opt.API == "" {
		opt.API = defaultAPI
	}
	base, err := url.Parse(strings.TrimRight(opt.API, "/") + "/")
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("%q is no address of an API; want one such as %s, or https://HOST/api/v3 for GitHub Enterprise Server", opt.API, defaultAPI)
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	defaultTo(&opt.MaxWait, 2*time.Minute)
	opt.MaxWait = max(opt.MaxWait, 0)
	defaultTo(&opt.Timeout, 30*time.Second)
	defaultTo(&opt.Pause, time.Second)
	c := &Client{opt: opt, log: opt.Log, login: opt.Login, roles: map[string]bool{}}
	c.owner, c.name, _ = strings.Cut(opt.Repository, "/")

	sending := &sender{base: http.DefaultTransport, token: opt.Token, api: base, timeout: opt.Timeout, pause: opt.Pause, log: opt.Log}
	limited := github_ratelimit.NewSecondaryLimiter(sending, secondaryOptions(opt)...)
	c.api = github.NewClient(&http.Client{Transport: limited})
	c.api.BaseURL = base
	c.api.UserAgent = "isodelta"
	if opt.Tool != "" {
		c.api.UserAgent = "isodelta/" + headerText(opt.Tool)
	}
	c.plain = &http.Client{Transport: &sender{base: http.DefaultTransport, timeout: 10 * opt.Timeout, pause: opt.Pause, log: opt.Log}}
	return c, nil
}

func defaultTo(d *time.Duration, to time.Duration) {
	if *d == 0 {
		*d = to
	}
}

// headerText keeps what may stand in a product's version.
func headerText(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) {
			return '-'
		}
		return r
	}, s)
}

// self is the login that the token writes as. An installation's token, as
// workflows have it, is told by GraphQL alone.
func (c *Client) self(ctx context.Context) (string, error) {
	c.mu.Lock()
	login := c.login
	c.mu.Unlock()
	if login != "" {
		return login, nil
	}
	err := c.do(ctx, operation{"ask whose token this is", ""}, func(ctx context.Context) (*github.Response, error) {
		user, resp, err := c.api.Users.Get(ctx, "")
		login = user.GetLogin()
		return resp, err
	})
	var denied *PermissionError
	if errors.As(err, &denied) && denied.Status != http.StatusUnauthorized {
		login, err = c.app(ctx), nil
	}
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.login = login
	return login, nil
}

// app is the login of the app behind the token.
func (c *Client) app(ctx context.Context) string {
	const actions = "github-actions[bot]"
	var data struct {
		Viewer struct{ Login string }
	}
	if err := c.query(ctx, "query{viewer{login}}", nil, &data); err != nil || data.Viewer.Login == "" {
		c.log.Debug("GitHub does not tell whose token this is; taking it for a workflow's", "error", err)
		return actions
	}
	if !strings.HasSuffix(data.Viewer.Login, "[bot]") {
		return data.Viewer.Login + "[bot]"
	}
	return data.Viewer.Login
}

// wrote reports whether the user is the one that the token writes as.
func wrote(user *github.User, self string) bool {
	return strings.EqualFold(user.GetLogin(), self)
}

// isBot reports whether no person wrote it.
func isBot(user *github.User) bool {
	return user.GetType() == "Bot" || strings.HasSuffix(user.GetLogin(), "[bot]")
}

// query asks GraphQL. It stands beside the REST API: api.github.com/graphql,
// HOST/api/graphql where REST is HOST/api/v3.
func (c *Client) query(ctx context.Context, text string, variables map[string]any, data any) error {
	address := *c.api.BaseURL
	if rest, ok := strings.CutSuffix(address.Path, "/v3/"); ok {
		address.Path = rest + "/"
	}
	address.Path += "graphql"
	answer := struct {
		Data   any
		Errors []struct{ Message string }
	}{Data: data}
	err := c.do(repeatable(ctx), operation{"ask GraphQL", ""}, func(ctx context.Context) (*github.Response, error) {
		req, err := c.api.NewRequest(http.MethodPost, address.String(), map[string]any{"query": text, "variables": variables})
		if err != nil {
			return nil, err
		}
		return c.api.Do(ctx, req, &answer)
	})
	if err == nil && len(answer.Errors) > 0 {
		return fmt.Errorf("asking GraphQL: %s", answer.Errors[0].Message)
	}
	return err
}

// maxPages bounds every list; with 100 on a page no honest one is longer.
const maxPages = 300

// pages calls f for one page after the other.
func (c *Client) pages(ctx context.Context, op operation, f func(ctx context.Context, page github.ListOptions) (more bool, resp *github.Response, err error)) error {
	opt := github.ListOptions{PerPage: 100}
	for range maxPages {
		var more bool
		var resp *github.Response
		err := c.do(ctx, op, func(ctx context.Context) (_ *github.Response, err error) {
			more, resp, err = f(ctx, opt)
			return resp, err
		})
		if err != nil || !more || resp.NextPage == 0 {
			return err
		}
		opt.Page = resp.NextPage
	}
	return fmt.Errorf("GitHub gives more than %d pages when asked to %s", maxPages, op.doing)
}
