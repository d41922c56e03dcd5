package automr

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A solver is an SMT solver's process, fed with SMT-LIB on standard input.
type solver struct {
	path    string
	timeout time.Duration
}

// implied asks whether the output relations of by imply that of r; a solver that
// gives up is no.
func (s solver) implied(ctx context.Context, by []Relation, r Relation) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	args := []string{"-in", "-smt2"}
	if strings.Contains(filepath.Base(s.path), "cvc5") {
		args = []string{"--lang=smt2", "-"}
	}
	command := exec.CommandContext(limited, s.path, args...)
	command.Env = []string{} // it needs none
	command.Stdin = strings.NewReader(question(by, r))
	answer, err := command.Output()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if limited.Err() != nil {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("asking the SMT solver %s: %w; it has to be z3 or cvc5", s.path, err)
	}
	return strings.TrimSpace(string(answer)) == "unsat", nil
}

// question is satisfiable if some outputs are related by all of by and not by r.
func question(by []Relation, r Relation) string {
	var b strings.Builder
	b.WriteString("(set-logic QF_NRA)\n")
	for i := range r.Groups() * r.Outputs {
		fmt.Fprintf(&b, "(declare-const o%d Real)\n", i)
	}
	for _, o := range by {
		fmt.Fprintf(&b, "(assert (<= %s 0))\n", o.smt())
	}
	fmt.Fprintf(&b, "(assert (> %s 0))\n(check-sat)\n", r.smt())
	return b.String()
}

// smt writes B v, coefficients as exact fractions.
func (r Relation) smt() string {
	terms := []string{"0"}
	for j, m := range r.outputMonomials() {
		c := rational(r.B[j])
		if c.Sign() == 0 {
			continue
		}
		number := fmt.Sprintf("(/ %s %s)", c.Num(), c.Denom())
		if c.Sign() < 0 {
			number = fmt.Sprintf("(- (/ %s %s))", c.Num().String()[1:], c.Denom())
		}
		term := "(* " + number
		for _, v := range m {
			term += fmt.Sprintf(" o%d", v)
		}
		if len(m) == 0 {
			term = number
		} else {
			term += ")"
		}
		terms = append(terms, term)
	}
	return "(+ " + strings.Join(terms, " ") + ")"
}
