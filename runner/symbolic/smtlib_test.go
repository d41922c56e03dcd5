package symbolic

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// script is a solver that a shell script is.
func script(t *testing.T, text string) Child {
	t.Helper()
	path := filepath.Join(t.TempDir(), "solver")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Child{Program: path, Limit: time.Minute}
}

// Whatever a solver does, nothing false follows from it.
func TestBadSolvers(t *testing.T) {
	t.Parallel()
	ts := NewTerms()
	x := ts.Var(8, "x")
	feasible := []*Term{ts.Binary(Eq, x, ts.Const(8, 5))}
	infeasible := []*Term{ts.Binary(ULt, x, ts.Const(8, 5)), ts.Binary(ULt, ts.Const(8, 9), x)}
	for name, text := range map[string]string{
		"lies that there is no model": "cat >/dev/null; echo unsat",
		"lies with a model":           "cat >/dev/null; echo sat; echo '((v0 #x07))'",
		"crashes":                     "kill -9 $$",
		"fails":                       "cat >/dev/null; echo '(error \"line 1\")'; exit 1",
		"says nothing":                "cat >/dev/null",
		"reads nothing":               "exit 0",
		"talks on and on":             "while true; do echo garbage; done | head -c 3000000",
		"does not know":               "cat >/dev/null; echo unknown",
		"breaks off":                  "cat >/dev/null; echo sat; echo '((v0 '",
		"large numbers":               "cat >/dev/null; echo sat; echo '((v0 #xfffffffffffffffffffffffff))'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			child := script(t, text)
			alone := Panel{Others: []Solver{child}}
			for _, conditions := range [][]*Term{feasible, infeasible} {
				if m, v := alone.Prove(context.Background(), conditions); v != Unknown {
					t.Errorf("alone it is believed: %v %v", m, v)
				}
			}
			panel := Panel{Own: Bits{Limit: time.Minute}, Others: []Solver{child}}
			if m, v := panel.Prove(context.Background(), feasible); v != Sat || m["x"] != 5 {
				t.Errorf("what has a model: %v %v", m, v)
			}
			if _, v := panel.Prove(context.Background(), infeasible); v != Unsat {
				t.Errorf("what has none: %v", v)
			}
		})
	}
}

// A solver that hangs is killed, with a grandchild that holds its output open.
func TestHangingSolver(t *testing.T) {
	t.Parallel()
	ts := NewTerms()
	child := script(t, "sleep 600 & wait")
	child.Limit = 50 * time.Millisecond
	if m, v := child.Solve(context.Background(), []*Term{ts.Var(1, "x")}); v != Unknown {
		t.Errorf("%v %v", m, v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	child.Limit = time.Hour
	if m, v := child.Solve(ctx, []*Term{ts.Var(1, "x")}); v != Unknown {
		t.Errorf("%v %v", m, v)
	}
	child.Program = filepath.Join(t.TempDir(), "missing")
	if m, v := child.Solve(context.Background(), []*Term{ts.Var(1, "x")}); v != Unknown {
		t.Errorf("%v %v", m, v)
	}
}

// liar is an Own solver that gives models that are none.
type liar struct{}

func (liar) Solve(context.Context, []*Term) (Model, Verdict) { return Model{"x": 1}, Sat }

func TestModelsAreChecked(t *testing.T) {
	t.Parallel()
	ts := NewTerms()
	if m, v := (Panel{Own: liar{}}).Solve(context.Background(), []*Term{ts.Binary(Eq, ts.Var(8, "x"), ts.Const(8, 2))}); v != Unknown {
		t.Errorf("%v %v", m, v)
	}
}

// Real solvers understand what is written for them, and agree with the one of our own.
func TestChildren(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"z3", "cvc5"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(err)
			}
			ts := NewTerms()
			x, y := ts.Var(64, "p0"), ts.Var(8, "p1[0]")
			for _, op := range []Op{Add, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr} {
				wide := ts.Ite(ts.Binary(SLt, y, ts.Const(8, 3)), ts.Resize(y, 64, true), ts.Resize(ts.Not(y), 64, false))
				result := ts.Resize(ts.Binary(op, ts.Binary(Xor, x, ts.Const(64, 12345)), wide), 16, false)
				given := []*Term{ts.Binary(Eq, x, ts.Const(64, 1<<40+77)), ts.Binary(Eq, y, ts.Const(8, 250))}
				want := Model{"p0": 1<<40 + 77, "p1[0]": 250}.Eval(result)
				is := ts.Binary(Eq, result, ts.Const(16, want))
				for _, c := range []struct {
					last *Term
					want Verdict
				}{{is, Sat}, {ts.Not(is), Unsat}} {
					conditions := append(given[:2:2], c.last)
					asked := 0
					for _, s := range Children(time.Minute) {
						if child, ok := s.(Child); !ok || filepath.Base(child.Program) != program {
							continue
						}
						asked++
						m, v := s.Solve(context.Background(), conditions)
						if v != c.want || v == Sat && !m.Holds(conditions) {
							t.Errorf("%s of %s: %v %v, want %v", program, result, m, v, c.want)
						}
					}
					if asked != 1 {
						t.Errorf("asked %d times", asked)
					}
				}
			}
		})
	}
}
