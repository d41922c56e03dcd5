package runner

import (
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/stage"
)

// phases tell how the time of a run was spent, in the order in which it began to be.
type phases struct {
	names []string
	spent map[string]time.Duration
	inner time.Duration // of parts within the one that is measured
}

// measure runs a part of a phase, and adds its time, less that of parts of other phases
// within it.
func (p *phases) measure(env *stage.Env, name string, part func() error) error {
	if p.spent == nil {
		p.spent = map[string]time.Duration{}
	}
	if _, known := p.spent[name]; !known {
		p.names, p.spent[name] = append(p.names, name), 0
	}
	before := p.inner
	p.inner = 0
	begin := env.Now()
	err := part()
	took := env.Now().Sub(begin)
	p.spent[name] += took - p.inner
	p.inner = before + took
	return err
}

// seconds returns how long a phase took so far.
func (p *phases) seconds(name string) float64 { return p.spent[name].Seconds() }

// events returns every phase as the stream tells it; total is the time of the whole
// run.
func (p *phases) events(total time.Duration) []event.Phase {
	var out []event.Phase
	for _, name := range p.names {
		e := event.Phase{Type: "phase", Name: name, Seconds: p.seconds(name)}
		if total > 0 {
			e.Share = min(p.spent[name].Seconds()/total.Seconds(), 1)
		}
		out = append(out, e)
	}
	return out
}
