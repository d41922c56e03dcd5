package symbolic

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Child asks a program that reads SMT-LIB from its standard input, in a process for each
// question. Whatever goes wrong with it is Unknown.
type Child struct {
	Program string
	Args    []string
	// Limit bounds one question; then the process is killed.
	Limit time.Duration
}

// Children are the solvers that stand on the PATH.
func Children(limit time.Duration) []Solver {
	var out []Solver
	for _, c := range []Child{{Program: "z3", Args: []string{"-in", "-smt2"}}, {Program: "cvc5", Args: []string{"--lang=smt2", "--produce-models", "-q"}}} {
		path, err := exec.LookPath(c.Program)
		if err == nil {
			out = append(out, Child{Program: path, Args: c.Args, Limit: limit})
		}
	}
	return out
}

const (
	// maxAsked bounds the terms of a question to a child.
	maxAsked = 20_000
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 1 << 20
)

// Solve takes the first word that the program prints for its verdict.
func (c Child) Solve(ctx context.Context, conditions []*Term) (Model, Verdict) {
	if size(conditions, maxAsked) > maxAsked {
		return nil, Unknown
	}
	text, names := smtlib(conditions)
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	cmd.Stdin = strings.NewReader(text)
	// Secrets of the environment are none of its business.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	var answer bytes.Buffer
	cmd.Stdout = &capped{to: &answer, left: maxAnswer}
	// A grandchild may hold the pipe open.
	cmd.WaitDelay = 100 * time.Millisecond
	if err := cmd.Run(); err != nil && ctx.Err() != nil {
		return nil, Unknown
	}
	verdict, rest, _ := strings.Cut(strings.TrimSpace(answer.String()), "\n")
	switch strings.TrimSpace(verdict) {
	case "unsat":
		return nil, Unsat
	case "sat":
		return modelOf(rest, names), Sat
	}
	return nil, Unknown
}

// capped drops what is too much.
type capped struct {
	to   io.Writer
	left int
}

func (w *capped) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.left -= n
	if _, err := w.to.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}

// smtlib writes conditions as a script, with a definition for each term, and says which
// unknown each name in it stands for.
func smtlib(conditions []*Term) (text string, names map[string]string) {
	var b strings.Builder
	b.WriteString("(set-option :produce-models true)\n(set-logic QF_BV)\n")
	names = map[string]string{}
	var order []string
	done := map[*Term]string{}
	var write func(*Term) string
	write = func(t *Term) string {
		if name, ok := done[t]; ok {
			return name
		}
		var name string
		switch t.Op {
		case Const:
			name = fmt.Sprintf("(_ bv%d %d)", t.Value, t.Width)
		case Var:
			name = fmt.Sprintf("v%d", len(names))
			names[name] = t.Name
			order = append(order, name)
			fmt.Fprintf(&b, "(declare-fun %s () (_ BitVec %d))\n", name, t.Width)
		default:
			var args []string
			for _, a := range t.Args {
				if a != nil {
					args = append(args, write(a))
				}
			}
			name = fmt.Sprintf("t%d", len(done))
			fmt.Fprintf(&b, "(define-fun %s () (_ BitVec %d) %s)\n", name, t.Width, smtlibTerm(t, args))
		}
		done[t] = name
		return name
	}
	for _, t := range conditions {
		fmt.Fprintf(&b, "(assert (= %s #b1))\n", write(t))
	}
	b.WriteString("(check-sat)\n")
	if len(order) > 0 {
		fmt.Fprintf(&b, "(get-value (%s))\n", strings.Join(order, " "))
	}
	b.WriteString("(exit)\n")
	return b.String(), names
}

func smtlibTerm(t *Term, args []string) string {
	list := strings.Join(args, " ")
	switch t.Op {
	case Eq, ULt, SLt:
		return fmt.Sprintf("(ite (%s %s) #b1 #b0)", opNames[t.Op], list)
	case Ite:
		return fmt.Sprintf("(ite (= %s #b1) %s %s)", args[0], args[1], args[2])
	case ZExt:
		return fmt.Sprintf("((_ zero_extend %d) %s)", t.Width-t.Args[0].Width, list)
	case SExt:
		return fmt.Sprintf("((_ sign_extend %d) %s)", t.Width-t.Args[0].Width, list)
	case Trunc:
		return fmt.Sprintf("((_ extract %d 0) %s)", t.Width-1, list)
	}
	return fmt.Sprintf("(%s %s)", opNames[t.Op], list)
}

var valuePattern = regexp.MustCompile(`\(\s*(v\d+)\s+(?:#x([0-9a-fA-F]+)|#b([01]+)|\(_\s+bv(\d+)\s+\d+\))\s*\)`)

// modelOf reads the answer to get-value. What it does not understand stays 0.
func modelOf(text string, names map[string]string) Model {
	m := Model{}
	for _, f := range valuePattern.FindAllStringSubmatch(text, -1) {
		for k, base := range []int{16, 2, 10} {
			if v, err := strconv.ParseUint(f[2+k], base, 64); err == nil && names[f[1]] != "" {
				m[names[f[1]]] = v
			}
		}
	}
	return m
}
