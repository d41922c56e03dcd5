package measure

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

// Request is one task; exactly one of the pointers is set.
type Request struct {
	Subject string
	Survey  *Survey `json:",omitempty"`
	Cover   *Cover  `json:",omitempty"`
	Try     *Try    `json:",omitempty"`
}

// Survey asks for a pool of source inputs.
type Survey struct {
	First    uint64 // number of the first draw
	Draws    int
	PerFrame int // inputs kept of each complete test frame
	Plain    int // further ones, of whatever frame
}

// Cover asks what source inputs cover, of an instrumented subject.
type Cover struct{ Pool []uint64 }

// Try asks for all metamorphic groups of a pool.
type Try struct {
	Pool []uint64
	// Outputs is the digest that the original gives for the pool. A mutant that
	// gives the same is compared on further inputs.
	Outputs uint64
	First   uint64
	Draws   int
	// Applicable asks to which inputs each relation applies, which no mutant
	// changes.
	Applicable bool
}

// Response answers a request.
type Response struct {
	Description properties.Description
	Inputs      []Input    `json:",omitempty"` // of Survey
	Covered     []Coverage `json:",omitempty"` // of Cover, for each of the pool
	Groups      []Groups   `json:",omitempty"` // of Try, for each relation
	Outputs     uint64     // digest for the pool
	Further     uint64     // digest for further inputs; 0 where not asked for
}

// Input is a source input.
type Input struct {
	Draw    uint64
	In, Out []int // choices by category, -1 where none applies
}

// Coverage is what the execution of one input covers.
type Coverage struct{ Statements, Branches []int }

// Groups are the metamorphic groups of one relation: indices into the pool.
type Groups struct {
	Applicable []int `json:",omitempty"` // where asked for
	Violated   []int `json:",omitempty"`
}

// Run answers one request about one of the subjects. covered gives what has been covered since it was
// last called, and is nil in a program that is not instrumented.
func Run(in io.Reader, out io.Writer, all []properties.Subject, covered func() (statements, branches []int)) error {
	var q Request
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	k := slices.IndexFunc(all, func(s properties.Subject) bool { return s.Describe().Name == q.Subject })
	if k < 0 {
		return fmt.Errorf("no subject is called %q", q.Subject)
	}
	s := all[k]
	a := Response{Description: s.Describe()}
	switch {
	case q.Survey != nil:
		a.Inputs = survey(s, *q.Survey)
	case q.Cover != nil && covered != nil:
		a.Covered = cover(s, q.Cover.Pool, covered)
	case q.Try != nil:
		go watch()
		try(s, *q.Try, &a)
	default:
		return fmt.Errorf("request for %s asks for nothing that this program can do", q.Subject)
	}
	return json.NewEncoder(out).Encode(a)
}

// survey keeps the first inputs of each frame.
func survey(s properties.Subject, q Survey) []Input {
	var out []Input
	kept := map[string]int{}
	plain := 0
	for draw := q.First; draw < q.First+uint64(q.Draws); draw++ {
		in, picked := s.Picks(draw)
		frame := fmt.Sprint(in, picked)
		switch {
		case kept[frame] < q.PerFrame:
			kept[frame]++
		case plain < q.Plain:
			plain++
		default:
			continue
		}
		out = append(out, Input{Draw: draw, In: in, Out: picked})
	}
	return out
}

func cover(s properties.Subject, pool []uint64, covered func() (statements, branches []int)) []Coverage {
	out := make([]Coverage, len(pool))
	covered()
	for t, draw := range pool {
		s.Call(draw)
		out[t].Statements, out[t].Branches = covered()
	}
	return out
}

func try(s properties.Subject, q Try, a *Response) {
	a.Outputs = digest(s, q.Pool)
	a.Groups = make([]Groups, len(a.Description.Relations))
	violated := false
	for r := range a.Groups {
		g := &a.Groups[r]
		for t, draw := range q.Pool {
			v := s.Group(r, draw)
			progress.Add(1)
			if v == properties.Violated {
				g.Violated = append(g.Violated, t)
				violated = true
			}
			if v != properties.Inapplicable && q.Applicable {
				g.Applicable = append(g.Applicable, t)
			}
		}
	}
	if !violated && a.Outputs == q.Outputs {
		further := make([]uint64, q.Draws)
		for i := range further {
			further[i] = q.First + uint64(i)
		}
		a.Further = digest(s, further)
	}
}

// digest is of the outputs in order.
func digest(s properties.Subject, draws []uint64) uint64 {
	h := fnv.New64a()
	for _, draw := range draws {
		_, _ = io.WriteString(h, s.Output(draw)) // a hash takes all
		_, _ = h.Write([]byte{0})
		progress.Add(1)
	}
	return h.Sum64()
}
