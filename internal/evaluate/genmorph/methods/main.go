package main

import (
	"encoding/gob"
	"fmt"
	"os"
	"time"
)

// Request asks a method for the outputs of inputs. Values are int64, float64, bool, string
// and slices of these.
type Request struct {
	Method string
	Inputs [][]any
}

// Answer is what one input gives; no Output where the method Ended otherwise: where it
// fails, panics or does not end.
type Answer struct {
	Output []any
	Ended  bool
}

const (
	perInput = 300 * time.Millisecond // of a call, after which it does not end
	maxHung  = 3                      // calls that do not end keep a core each
)

func main() {
	var q Request
	if err := gob.NewDecoder(os.Stdin).Decode(&q); err != nil {
		fmt.Fprintln(os.Stderr, "methods: request:", err)
		os.Exit(1)
	}
	call := table()[q.Method]
	if call == nil {
		fmt.Fprintf(os.Stderr, "methods: there is no %q\n", q.Method)
		os.Exit(1)
	}
	answers := make([]Answer, len(q.Inputs))
	for i := range answers {
		answers[i].Ended = true
	}
	hung := 0
	for i, in := range q.Inputs {
		if hung == maxHung {
			break
		}
		done := make(chan any, 1)
		go func() { done <- attempt(call, in) }()
		select {
		case v := <-done:
			if v != nil {
				answers[i] = Answer{Output: []any{v}}
			}
		case <-time.After(perInput):
			hung++
		}
	}
	if err := gob.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, "methods: answer:", err)
		os.Exit(1)
	}
}

// attempt calls a method, nil if it fails or panics.
func attempt(call func([]any) (any, error), in []any) (out any) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	out, err := call(in)
	if err != nil {
		return nil
	}
	return out
}

// table gives each method by its name.
func table() map[string]func([]any) (any, error) {
	whole := func(v any) int { return int(v.(int64)) }
	wholes := func(v any) []int {
		var out []int
		for _, n := range v.([]int64) {
			out = append(out, int(n))
		}
		return out
	}
	number := func(f func(float64) float64) func([]any) (any, error) {
		return func(in []any) (any, error) { return f(in[0].(float64)), nil }
	}
	one := func(f func(int) (int, error)) func([]any) (any, error) {
		return func(in []any) (any, error) {
			n, err := f(whole(in[0]))
			return int64(n), err
		}
	}
	two := func(f func(a, b int) (int, error)) func([]any) (any, error) {
		return func(in []any) (any, error) {
			n, err := f(whole(in[0]), whole(in[1]))
			return int64(n), err
		}
	}
	return map[string]func([]any) (any, error){
		"nextPrime": one(nextPrime),
		"isPrime":   func(in []any) (any, error) { return isPrime(whole(in[0])), nil },
		"gcd":       two(gcd), "pow": two(pow), "stirling": two(stirling),
		"acos": number(acos), "log10": number(log10), "sin": number(sin), "sinh": number(sinh), "tan": number(tan),
		"abbreviate": func(in []any) (any, error) {
			return abbreviate(in[0].(string), in[1].(string), whole(in[2]), whole(in[3]))
		},
		"capitalize": func(in []any) (any, error) { return capitalize(in[0].(string)), nil },
		"center": func(in []any) (any, error) {
			return center(in[0].(string), min(whole(in[1]), 10000), in[2].(string)), nil
		},
		"difference": func(in []any) (any, error) { return difference(in[0].(string), in[1].(string)), nil },
		"isSorted":   func(in []any) (any, error) { return isSorted(wholes(in[0])), nil },
		"indexOf":    func(in []any) (any, error) { return int64(indexOf(in[0].([]bool), in[1].([]bool))), nil },
		"join":       func(in []any) (any, error) { return join(in[0].(string), in[1].([]bool)), nil },
		"meanOf":     func(in []any) (any, error) { return meanOf(wholes(in[0])) },
		"min": func(in []any) (any, error) {
			n, err := least(wholes(in[0]))
			return int64(n), err
		},
		"padStart": func(in []any) (any, error) {
			return padStart(in[0].(string), min(whole(in[1]), 10000), in[2].(string))
		},
		"repeat": func(in []any) (any, error) { return repeat(in[0].(string), whole(in[1])) },
		"sort": func(in []any) (any, error) {
			list, err := sort(wholes(in[0]), whole(in[1]), whole(in[2]))
			out := make([]int64, len(list))
			for i, n := range list {
				out[i] = int64(n)
			}
			return out, err
		},
		"truncate": func(in []any) (any, error) { return truncate(in[0].(string), whole(in[1]), in[2].(string)) },
	}
}
