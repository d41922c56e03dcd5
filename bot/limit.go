package bot

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_secondary_ratelimit"
	"github.com/google/go-github/v60/github"
)

// secondaryOptions have the limiter sleep out Retry-After within MaxWait.
func secondaryOptions(opt Options) []github_ratelimit.SecondaryRateLimiterOption {
	return []github_ratelimit.SecondaryRateLimiterOption{
		github_secondary_ratelimit.WithSingleSleepLimit(opt.MaxWait, nil),
		github_secondary_ratelimit.WithTotalSleepLimit(opt.MaxWait, nil),
		github_secondary_ratelimit.WithLimitDetectedCallback(func(l *github_secondary_ratelimit.CallbackContext) {
			if l.ResetTime != nil {
				opt.Log.Info("GitHub asks to wait: too many requests in a short time", "seconds", int(time.Until(*l.ResetTime).Seconds()+1))
			}
		}),
	}
}

// limitOf tells how long GitHub asks to wait; ok is false for other errors. The
// request was not carried out, so it may be sent again whatever it is.
func limitOf(err error) (wait time.Duration, ok bool) {
	const unsaid = time.Minute // what GitHub recommends where it names no time
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var other *github.ErrorResponse
	switch {
	case errors.As(err, &primary):
		// The reset is told in whole seconds; a moment later is safe.
		return max(time.Until(primary.Rate.Reset.Time), 0) + 200*time.Millisecond, true
	case errors.As(err, &secondary):
		if secondary.RetryAfter == nil {
			return unsaid, true
		}
		return *secondary.RetryAfter, true
	case errors.As(err, &other) && other.Response != nil:
		status := other.Response.StatusCode
		if status != http.StatusTooManyRequests && (status != http.StatusForbidden || !strings.Contains(other.Message, "secondary rate limit")) {
			return 0, false
		}
		if d, err := time.ParseDuration(other.Response.Header.Get("Retry-After") + "s"); err == nil && d > 0 {
			return d, true
		}
		return unsaid, true
	}
	return 0, false
}

// waitFor sleeps where MaxWait has room for it, and reports whether it did.
func (c *Client) waitFor(ctx context.Context, d time.Duration) (bool, error) {
	c.mu.Lock()
	fits := c.waited+d <= c.opt.MaxWait
	if fits {
		c.waited += d
	}
	c.mu.Unlock()
	if !fits {
		return false, nil
	}
	c.log.Info("GitHub asks to wait: the rate limit is used up", "seconds", int(d.Seconds()+1))
	return true, sleep(ctx, d)
}
