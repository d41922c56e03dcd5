package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/internal/withheld"
	"github.com/isodelta/isodelta/report"
)

// Streams are where the command writes, and what of its environment only it is
// to know.
type Streams struct {
	Out, Err io.Writer
	Withheld withheld.Variables
}

// inWorkflow keeps what is printed from being a workflow command: a report shows
// values of the tested code. The steps that speak to the runner have a log of their
// own that does so. A file is no log.
func (s Streams) inWorkflow(subcommand string) Streams {
	if !slices.Contains([]string{"action", "publish", "comment"}, subcommand) {
		s.Out = filtered(s.Out)
	}
	s.Err = filtered(s.Err)
	return s
}

func filtered(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return w
		}
	}
	return action.Filter(w)
}

// isTerminal reports whether w is one that a person looks at.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalOptions fit a report to where it goes.
func terminalOptions(w io.Writer) report.TerminalOptions {
	opt := report.TerminalOptions{Color: isTerminal(w) && os.Getenv("NO_COLOR") == ""}
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			opt.Width = n
		}
	}
	return opt
}

// subcommands by name. Anything else is a comparison.
func subcommands() map[string]func(context.Context, []string, Streams) (int, error) {
	return map[string]func(context.Context, []string, Streams) (int, error){
		"accept":    accept,
		"gate":      gate,
		"action":    runAction,
		"comment":   runComment,
		"publish":   runPublish,
		"relations": relations,
		"reach":     reach,
		"replay":    replay,
		"demo":      runDemo,
		"report":    renderStream,
		"merge":     merge,
		"config":    configuration,
		"version":   version,
		"help":      help,
	}
}

// Run runs the command and gives its exit code.
func Run(ctx context.Context, args []string, streams Streams) int {
	run, name := compare, ""
	at := 0
	if len(args) > 2 && args[0] == "-C" { // isodelta -C DIR replay ID
		at = 2
	}
	if len(args) > at {
		if sub, ok := subcommands()[args[at]]; ok {
			name = args[at]
			run, args = sub, slices.Delete(slices.Clone(args), at, at+1)
		}
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		streams = streams.inWorkflow(name)
	}
	code, err := ending(ctx, func() (int, error) { return run(ctx, args, streams) })
	if err == nil {
		return code
	}
	if errors.Is(err, errHelp) {
		fmt.Fprint(streams.Out, usage)
		return exitOK
	}
	if ctx.Err() != nil && !errors.Is(err, errStuck) {
		err = errors.New("interrupted before anything could be compared")
	}
	fmt.Fprintf(streams.Err, "isodelta: %s\n", strings.TrimRight(err.Error(), "\n"))
	if code := exitCode(err); code != exitOK {
		return code
	}
	return exitFailed
}

// goodbye is how long a command that is interrupted may take to end.
const goodbye = 5 * time.Second

var errStuck = errors.New("interrupted, and ended without a report: it was still busy 5 seconds later")

// ending runs a command and, once ctx has ended, waits no longer than goodbye.
func ending(ctx context.Context, run func() (int, error)) (code int, err error) {
	done := make(chan struct{})
	var result struct {
		code int
		err  error
	}
	go func() {
		defer close(done)
		result.code, result.err = run()
	}()
	select {
	case <-done:
		return result.code, result.err
	case <-ctx.Done():
	}
	select {
	case <-done:
		return result.code, result.err
	case <-time.After(goodbye):
		return exitFailed, errStuck
	}
}

// stamped is the version that -ldflags -X gives a build without git: of a
// release, of the container image, of action.yml.
var stamped string

// Version is the tool's version, as the build stamped it.
func Version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return strings.Trim(info.Main.Version, "()")
}

func version(_ context.Context, _ []string, streams Streams) (int, error) {
	fmt.Fprintf(streams.Out, "isodelta %s\n", Version())
	return exitOK, nil
}

func help(_ context.Context, _ []string, streams Streams) (int, error) {
	fmt.Fprint(streams.Out, usage)
	return exitOK, nil
}
