package runner

import (
	"github.com/isodelta/isodelta/report/event"
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
