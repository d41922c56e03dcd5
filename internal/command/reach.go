package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/runner"
	"github.com/isodelta/isodelta/runner/aim"
)

// reach finds inputs that take the branches on a line of the working tree, and prints a
// test for each.
func reach(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta reach")
	words, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	line, err := parseLine(words)
	if err != nil {
		return 0, usageError{err}
	}
	conf, err := f.config()
	if err != nil {
		return 0, err
	}
	options, err := f.options(conf)
	if err != nil {
		return 0, err
	}
	if conf.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, conf.Budget)
		defer cancel()
	}
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	found, err := runner.Aim(ctx, options, []aim.Line{line}, progress)
	progress.Close()
	var wrongLine *aim.LineError
	var wrongFile *aim.FileError
	switch {
	case errors.As(err, &wrongLine), errors.As(err, &wrongFile):
		return 0, usageError{err}
	case errors.Is(err, context.DeadlineExceeded):
		return 0, fmt.Errorf("nothing was tried within %s; --budget gives more time", conf.Budget)
	case err != nil:
		return 0, err
	}
	code := exitOK
	for i, x := range found {
		if i > 0 {
			fmt.Fprintln(streams.Out)
		}
		printFound(streams.Out, x, options.Seed)
		if !x.Taken {
			code = exitFinding
		}
	}
	return code, nil
}

// parseLine takes FILE:LINE [true|false] apart.
func parseLine(words []string) (aim.Line, error) {
	const want = "want isodelta reach FILE:LINE [true|false], such as ring.go:42 false"
	if len(words) < 1 || len(words) > 2 {
		return aim.Line{}, errors.New(want)
	}
	at := strings.LastIndexByte(words[0], ':')
	if at <= 0 {
		return aim.Line{}, fmt.Errorf("%s: there is no line in it: %s", words[0], want)
	}
	n, err := strconv.Atoi(words[0][at+1:])
	if err != nil || n < 1 {
		return aim.Line{}, fmt.Errorf("%s: %q is no line: %s", words[0], words[0][at+1:], want)
	}
	line := aim.Line{File: words[0][:at], Line: n}
	if len(words) == 2 {
		switch words[1] {
		case "true", "false":
			outcome := words[1] == "true"
			line.Outcome = &outcome
		default:
			return aim.Line{}, fmt.Errorf("%q is no outcome of a condition: %s", words[1], want)
		}
	}
	return line, nil
}

// printFound tells what became of one branch.
func printFound(w io.Writer, x aim.Found, seed int64) {
	at := fmt.Sprintf("%s:%d: %s", x.Goal.File, x.Line, plainText(x.String()))
	if x.Infeasible {
		fmt.Fprintf(w, "%s: proved infeasible: no input takes it. Inputs tried before: %d (seed %d).\n", at, x.Tried, seed)
		fmt.Fprintln(w, "  By equations for every path through its function, whatever it is given and finds in memory; package unsafe and data races are left out.")
		return
	}
	if !x.Taken {
		fmt.Fprintf(w, "%s: not found. Inputs tried: %d (seed %d).\n", at, x.Tried, seed)
		if x.Why != "" {
			fmt.Fprintf(w, "  %s\n", plainText(x.Why))
		}
		if x.Limit != "" {
			fmt.Fprintf(w, "  Equations do not help, and do not show that there is no input: %s.\n", plainText(x.Limit))
		}
		for l := range strings.SplitSeq(x.Input, "\n") {
			if l != "" {
				fmt.Fprintf(w, "    %s\n", plainText(l))
			}
		}
		return
	}
	fmt.Fprintf(w, "%s: found. Inputs tried: %d (seed %d).\n", at, x.Tried, seed)
	if x.Internal {
		fmt.Fprintln(w, "  Only a call of a function that is not exported was found to take it.")
	}
	fmt.Fprintf(w, "  A test that takes it, for %s:\n\n%s", plainText(x.File), printable(x.Test))
}

// printable leaves out of a test what could move the cursor of a terminal; gofmt writes
// no such thing but in raw strings.
func printable(test string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return '?'
		}
		return r
	}, test)
}
