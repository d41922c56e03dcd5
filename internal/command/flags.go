package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/runner"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
)

var errHelp = errors.New("help")

// flags of the command. Those that the configuration file knows too come from
// package config; the rest are here.
type flags struct {
	set                    *flag.FlagSet
	settings               *config.Overrides
	dir                    string
	configFile             string
	acceptFrom             string   // acceptFromBase or acceptFromHead; "" is base
	cache                  string   // for builds, in place of the user's folder
	temp                   string   // for temporary folders, in place of the system's
	withheld               []string // names of variables that isodelta was given and nothing else sees
	shard                  string
	outputs                []output
	plainRuntime           bool
	noRelations, varyTests bool
	firstSources           int // see runner.Options
	verbose                bool
	// whole is the command that shows all of a report, where the last comparison of dir is
	// another.
	whole string
	// everyRelation lists also the relations that say little, see relations.
	everyRelation bool
	confirm       int
	// loaded is given both versions before they are compared, see runner.Options.
	loaded func(base, head *load.Tree) error
}

// output is one --output FORMAT=FILE.
type output struct{ format, file string }

func newFlags(name string) *flags {
	f := &flags{set: flag.NewFlagSet(name, flag.ContinueOnError)}
	f.set.SetOutput(io.Discard)
	f.settings = config.Flags(f.set)
	f.set.StringVar(&f.dir, "C", ".", "")
	f.set.StringVar(&f.configFile, "config", "", "")
	f.set.BoolVar(&f.plainRuntime, "plain-runtime", false, "")
	f.set.BoolVar(&f.noRelations, "no-relations", false, "")
	f.set.BoolVar(&f.varyTests, "vary-tests", false, "")
	f.set.StringVar(&f.shard, "shard", "", "")
	f.set.BoolVar(&f.verbose, "verbose", false, "")
	f.set.IntVar(&f.confirm, "confirm", runner.Defaults().PerCluster, "")
	f.set.Func("output", "", f.addOutput)
	return f
}

// terminal is how a report is written to w. Where it is not whole, it names the command
// that shows the rest.
func (f *flags) terminal(w io.Writer) report.TerminalOptions {
	opt := terminalOptions(w)
	opt.Short, opt.Whole = !f.verbose, f.whole
	if f.whole == "" {
		opt.Whole = "isodelta report --verbose"
		if f.dir != "." {
			opt.Whole = "isodelta -C " + f.dir + " report --verbose"
		}
	}
	return opt
}

func (f *flags) addOutput(s string) error {
	format, file, ok := strings.Cut(s, "=")
	if !ok || file == "" {
		return errors.New("want FORMAT=FILE, such as markdown=report.md")
	}
	if !slices.Contains(report.Formats(), format) {
		return fmt.Errorf("no format is called %q; there are %s", format, strings.Join(report.Formats(), ", "))
	}
	f.outputs = append(f.outputs, output{format, file})
	return nil
}

// parse takes flags before, between and after the positional arguments.
func (f *flags) parse(args []string) (positional []string, err error) {
	for {
		if err := f.set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, errHelp
			}
			return nil, usageError{fmt.Errorf("%w\nsee: isodelta help", err)}
		}
		if f.set.NArg() == 0 {
			return positional, nil
		}
		positional = append(positional, f.set.Arg(0))
		args = f.set.Args()[1:]
	}
}

// config joins the configuration file with the flags; flags win. The file is
// the one named, else .isodelta.yml of the folder or above it, up to the
// repository's top.
func (f *flags) config() (config.Config, error) {
	conf, err := config.Default(), error(nil)
	if f.configFile != "" {
		conf, err = config.LoadFile(f.configFile)
	} else if repo, openErr := revision.Open(f.dir); openErr == nil && repo.Root() != "" {
		conf, err = config.Load(f.dir, repo.Root())
	}
	if err != nil {
		return conf, err
	}
	if conf, err = f.settings.Apply(conf); err != nil {
		return conf, usageError{err}
	}
	return conf, nil
}

// options turns configuration and flags into the engine's options.
func (f *flags) options(conf config.Config) (runner.Options, error) {
	o := runner.Defaults()
	o.Dir, o.Tool = f.dir, Version()
	o.Packages, o.Exclude, o.Tags = conf.Packages, conf.Exclude, conf.Tags
	for _, flag := range conf.Test.Flags {
		o.TestFlags = append(o.TestFlags, testBinaryFlag(flag))
	}
	for _, k := range sortedKeys(conf.Test.Env) {
		o.TestEnv = append(o.TestEnv, k+"="+conf.Test.Env[k])
	}
	if len(conf.Test.Skip) > 0 {
		re, err := regexp.Compile(strings.Join(conf.Test.Skip, "|"))
		if err != nil {
			return o, usageError{fmt.Errorf("test.skip: %w", err)}
		}
		o.SkipTests = re
	}
	o.Budget, o.MaxVariants, o.Depth = conf.Budget, conf.MaxVariants, conf.Depth
	o.MaxSequences = conf.MaxSequences
	o.Universal, o.BothBranches, o.Strict = conf.List == "universal", conf.List == "both-branches", conf.Match == "strict"
	o.Generated, o.NoPrune, o.NoCalls = conf.Generated, !conf.Prune, !conf.Calls
	o.VaryTests = f.varyTests
	o.NoRelations, o.AutoMR, o.FirstSources = f.noRelations, conf.AutoMR, f.firstSources
	o.ConfigFile, o.Relations, o.Categories = f.relative(conf.File), conf.Relations, conf.Categories
	if cache, err := os.UserCacheDir(); err == nil {
		o.Cache = filepath.Join(cache, "isodelta")
	}
	o.Sandbox, o.Seed, o.Seeded = conf.Sandbox, conf.Seed, !f.plainRuntime
	o.FailOn, o.Policy = conf.FailOn, policy.Policy{Rules: conf.Policy}.Events()
	o.PerCluster, o.Loaded = f.confirm, f.loaded
	if f.shard != "" {
		if _, err := fmt.Sscanf(f.shard, "%d/%d", &o.Shard, &o.Shards); err != nil || o.Shard < 1 || o.Shard > o.Shards {
			return o, usageError{fmt.Errorf("--shard %s: want i/n with 1 ≤ i ≤ n, such as 2/4", f.shard)}
		}
	}
	var err error
	o.Executable, err = os.Executable()
	return o, err
}

// relative is a file as seen from the top of the repository, or its name where it
// lies outside.
func (f *flags) relative(file string) string {
	repo, err := revision.Open(f.dir)
	if err != nil || file == "" {
		return file
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return filepath.Base(file)
	}
	rel, err := filepath.Rel(repo.Root(), abs)
	if err != nil || strings.HasPrefix(rel, "..") {
		return filepath.Base(file)
	}
	return filepath.ToSlash(rel)
}

// testBinaryFlag returns a flag of go test the name that the test binary knows.
func testBinaryFlag(s string) string {
	name := strings.TrimLeft(s, "-")
	if strings.HasPrefix(name, "test.") {
		return "-" + name
	}
	return "-test." + name
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
