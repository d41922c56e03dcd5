package runner

import (
	"context"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/gomod"
)

// undirected reports whether nothing says where to look: of the module's own code nothing
// changed, and no call in it is known to lead to what differs in its dependencies. The tests
// then run as they are, and that is all: calls and forced branches would be of code that is
// the same.
func (r *run) undirected() bool {
	return !r.opt.Unchanged && r.matching.Undirected() != ""
}

// listDependencies lists what could not be said of the dependencies.
func (r *run) listDependencies() {
	if why := r.matching.Undirected(); why != "" && !r.matching.Empty() && !r.opt.Unchanged {
		r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: "calls and forced branches", Reason: "none: " + why})
	} else if err := r.matching.Depended(); err != nil {
		r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: "changed dependencies", Reason: "their functions were not compared: " + err.Error()})
	}
	for _, line := range r.matching.GoLines {
		r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: line,
			Reason: "both versions are built with one Go distribution, so what another one does is not seen"})
	}
}

const (
	// maxFetching bounds the time to fetch modules for their tests. It is also at most the fetchingShare-th part of the budget.
	maxFetching   = 10 * time.Second
	fetchingShare = 8
)

// fetchVendored fetches the vendored modules that differ, because their tests contain inputs.
func (r *run) fetchVendored(ctx context.Context) {
	if r.opt.NoCalls || r.undirected() {
		return
	}
	most := maxFetching
	if r.opt.Budget > 0 {
		most = min(most, r.opt.Budget/fetchingShare)
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := r.matching.FetchVendored(limited, func(ctx context.Context, path, version string) (string, error) {
		return gomod.Whole(ctx, r.tmp(), path, version, r.chain.Env())
	})
	if err != nil && ctx.Err() == nil {
		r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: "tests of vendored modules",
			Reason: "what they try was not read, since they are not in the vendor folder: " + err.Error()})
	}
}
