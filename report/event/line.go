package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// A codec knows one type of event. The table of codecs is the only list of the
// types: reader, writer, schema and validation all follow it.
type codec struct {
	name string
	zero Event
	// read decodes one line into a value (never a pointer).
	read func(line []byte) (Event, error)
	// stamp gives e its "type" field and turns nil lists that readers expect
	// into empty ones; it reports false where e is of another type.
	stamp func(e Event) (Event, bool)
}

var codecs = sync.OnceValue(func() []codec {
	return []codec{
		codecOf(func(e *Config) { e.Type = "config"; e.Packages = notNil(e.Packages) }),
		codecOf(func(e *Versions) { e.Type = "versions" }),
		codecOf(func(e *Match) { e.Type = "match"; e.Changed = notNil(e.Changed) }),
		codecOf(func(e *Baseline) { e.Type = "baseline" }),
		codecOf(func(e *Progress) { e.Type = "progress" }),
		codecOf(func(e *Finding) {
			e.Type = "finding"
			e.Negations, e.Changed = notNil(e.Negations), notNil(e.Changed)
		}),
		codecOf(func(e *Target) { e.Type = "target" }),
		codecOf(func(e *Relation) { e.Type = "relation" }),
		codecOf(completeGraph),
		codecOf(func(e *Adequacy) { e.Type = "adequacy" }),
		codecOf(func(e *Phase) { e.Type = "phase" }),
		codecOf(func(e *Limit) { e.Type = "limit" }),
		codecOf(func(e *Summary) { e.Type = "summary" }),
	}
})

func codecOf[T Event](complete func(*T)) codec {
	var zero T
	return codec{
		name: zero.EventType(),
		zero: zero,
		read: func(line []byte) (Event, error) {
			var e T
			if err := json.Unmarshal(line, &e); err != nil {
				return nil, err
			}
			complete(&e)
			return e, nil
		},
		stamp: func(e Event) (Event, bool) {
			v, ok := e.(T)
			if p, isPointer := any(e).(*T); isPointer && p != nil {
				v, ok = *p, true
			}
			if !ok {
				return nil, false
			}
			complete(&v)
			return v, true
		},
	}
}

func notNil[E any](s []E) []E {
	if s == nil {
		return []E{}
	}
	return s
}

var errForeign = errors.New("not one of the types of this package")

// complete returns e as a value with its "type" field set.
func complete(e Event) (Event, error) {
	if e == nil {
		return nil, errors.New("nil event")
	}
	for _, c := range codecs() {
		if v, ok := c.stamp(e); ok {
			return v, nil
		}
	}
	return nil, fmt.Errorf("event of type %T: %w", e, errForeign)
}
