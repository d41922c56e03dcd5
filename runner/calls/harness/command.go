//go:build go1.21

package harness

import (
	"flag"
	"os"
	"path"
	"strings"
)

// CommandLine makes a function that reads the command line, such as main, one that is given it.
func CommandLine(command func()) func(...string) {
	return func(args ...string) {
		defer commandLine(args)()
		command()
	}
}

// CommandLineGiving is CommandLine of a function with a result.
func CommandLineGiving[R any](command func() R) func(...string) R {
	return func(args ...string) R {
		defer commandLine(args)()
		return command()
	}
}

// CommandName is what a command is called by, of a package with an import path.
func CommandName(pkg string) string { return path.Base(pkg) }

// commandLine has os.Args hold a command line, and package flag know only those flags that were declared before the
// first call, as they were then: what a command declares it declares each time. It returns what puts all back.
func commandLine(args []string) (restore func()) {
	if declared.defaults == nil {
		declared.defaults = map[string]string{}
		flag.VisitAll(func(f *flag.Flag) {
			if !strings.HasPrefix(f.Name, "test.") {
				declared.flags = append(declared.flags, f)
				declared.defaults[f.Name] = f.DefValue
			}
		})
	}
	before, flags := os.Args, flag.CommandLine
	os.Args = append([]string{CommandName(registry.Package)}, args...)
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	flag.CommandLine.Usage = func() { flag.Usage() }
	for _, f := range declared.flags {
		_ = f.Value.Set(declared.defaults[f.Name]) // some take no default
		flag.CommandLine.Var(f.Value, f.Name, f.Usage)
	}
	return func() { os.Args, flag.CommandLine = before, flags }
}

// declared are the flags of package flag that the code declares before it is called.
var declared struct {
	flags    []*flag.Flag
	defaults map[string]string
}
