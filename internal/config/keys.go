package config

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/internal/pattern"
	"github.com/isodelta/isodelta/internal/spelling"
	"github.com/isodelta/isodelta/runner/relation/declare"
)

// shape is what a key's value looks like in YAML.
type shape int

const (
	text    shape = iota // one scalar
	boolean              // true or false
	integer
	list    // a sequence of scalars, or one scalar
	mapping // of names to scalars
	section // of further keys
	entries // a sequence of mappings of further keys
	tree    // what the key's node function reads
)

// A key is one setting. Its value is given to set as plain texts: one for a
// scalar, any number for a list, name=value pairs for a mapping; get is the
// inverse. Both are nil for a section, and for entries: there the inner keys set
// what begin has appended, and end checks it. A tree is read by node, and its
// schema is nodeSchema's: that is how texts keep their places.
type key struct {
	name    string
	flag    string // command-line flag, "" for none
	doc     string // one sentence without a full stop; for the schema and -help
	shape   shape
	values  []string // allowed values, nil for any
	pattern string   // for the schema
	minimum *int64   // for the schema
	example string   // for errors, "" where values say it
	keys    []key    // of a section, or of each entry
	needed  bool     // an entry without it is a mistake
	set     func(*Config, []string) error
	get     func(Config) []string
	begin   func(*Config)       // appends an entry
	end     func(*Config) error // checks the last entry against those before

	node       func(*parser, *yaml.Node, string)
	nodeSchema func() *jsonschema.Schema
}

// keys is the whole file.
func keys() []key {
	zero := int64(0)
	return []key{
		{name: "packages", flag: "packages", shape: list, example: "./...",
			doc: "packages to compare, as patterns for go list; by default all of the module",
			set: texts(func(c *Config) *[]string { return &c.Packages }, packagePattern),
			get: func(c Config) []string { return c.Packages }},
		{name: "exclude", flag: "exclude", shape: list, example: "./internal/gen/...",
			doc: "packages to leave out, as patterns for go list",
			set: texts(func(c *Config) *[]string { return &c.Exclude }, packagePattern),
			get: func(c Config) []string { return c.Exclude }},
		{name: "tags", flag: "tags", shape: list, example: "integration",
			doc: "build tags",
			set: texts(func(c *Config) *[]string { return &c.Tags }, buildTag),
			get: func(c Config) []string { return c.Tags }},
		{name: "test", shape: section, doc: "how the module's tests are run", keys: []key{
			{name: "flags", flag: "test-flags", shape: list, example: "-short",
				doc: "flags for go test",
				set: texts(func(c *Config) *[]string { return &c.Test.Flags }, testFlag),
				get: func(c Config) []string { return c.Test.Flags }},
			{name: "env", flag: "test-env", shape: mapping, example: "TZ: UTC",
				doc: "environment variables that the tests need; beside them tests see only what Go, the shell and a C compiler need",
				set: setEnv,
				get: getEnv},
			{name: "skip", flag: "skip", shape: list, example: "TestNetwork",
				doc: "tests to leave out, as regular expressions for go test -skip",
				set: texts(func(c *Config) *[]string { return &c.Test.Skip }, testPattern),
				get: func(c Config) []string { return c.Test.Skip }},
		}},
		{name: "budget", flag: "budget", shape: text, example: "10m", pattern: `^([0-9]+(\.[0-9]+)?(h|m|s|ms))+$`,
			doc: "time for the whole comparison, a duration such as 10m or 90s; it ends within 15 % more, and lists what it had no time for",
			set: one(func(c *Config, s string) (err error) { c.Budget, err = duration(s); return err }),
			get: func(c Config) []string { return []string{c.Budget.String()} }},
		{name: "max-variants", flag: "max-variants", shape: integer, example: "5000", minimum: &zero,
			doc: "largest number of variants to run; 0 is no limit",
			set: one(func(c *Config, s string) (err error) { c.MaxVariants, err = count(s); return err }),
			get: func(c Config) []string { return []string{strconv.Itoa(c.MaxVariants)} }},
		{name: "max-sequences", flag: "max-sequences", shape: integer, example: "5000", minimum: &zero,
			doc: "largest number of sequences of calls made in each package; 0 is no limit",
			set: one(func(c *Config, s string) (err error) { c.MaxSequences, err = count(s); return err }),
			get: func(c Config) []string { return []string{strconv.Itoa(c.MaxSequences)} }},
		{name: "depth", flag: "depth", shape: text, example: "1", pattern: `^(any|[1-9][0-9]*)$`,
			doc: "largest number of conditions negated at a time: a whole number from 1, or any",
			set: one(func(c *Config, s string) (err error) { c.Depth, err = depth(s); return err }),
			get: func(c Config) []string { return []string{depthText(c.Depth)} }},
		{name: "list", flag: "list", shape: text, values: []string{"universal", "unique", "both-branches"},
			doc: "branches to negate: universal, those that no test covers; unique, first those and then those that the test at hand does not cover; both-branches, after all these also conditions of which the test takes both branches, turned round each time",
			set: one(func(c *Config, s string) error { c.List = s; return nil }),
			get: func(c Config) []string { return []string{c.List} }},
		{name: "match", flag: "match", shape: text, values: []string{"resynchronised", "strict"},
			doc: "how conditions of the two versions are paired: strict, as in the ISON paper; resynchronised, which goes on past an insertion",
			set: one(func(c *Config, s string) error { c.Match = s; return nil }),
			get: func(c Config) []string { return []string{c.Match} }},
		{name: "generated", flag: "generated", shape: boolean,
			doc: "negate conditions in generated files too",
			set: one(func(c *Config, s string) (err error) { c.Generated, err = yesNo(s); return err }),
			get: func(c Config) []string { return []string{strconv.FormatBool(c.Generated)} }},
		{name: "sandbox", flag: "sandbox", shape: text, values: []string{"auto", "require", "off"},
			doc: "restriction of the tests that run: auto, as far as this machine can; require, which fails where it cannot; off",
			set: one(func(c *Config, s string) error { c.Sandbox = s; return nil }),
			get: func(c Config) []string { return []string{c.Sandbox} }},
		{name: "fail-on", flag: "fail-on", shape: list, example: "observed", pattern: policy.TermPattern,
			doc: "what makes the exit status 1: differences observed, reached, forced or small, relations broken, or adequacy-drop=N points; nothing by default",
			set: texts(func(c *Config) *[]string { return &c.FailOn }, failOnTerm),
			get: func(c Config) []string { return c.FailOn }},
		{name: "policy", shape: entries, doc: "exceptions to fail-on for some packages; the first that fits counts", keys: policyKeys(),
			begin: func(c *Config) { c.Policy = append(c.Policy, policy.Rule{}) }, end: endPolicy},
		{name: "accept", shape: entries, doc: "differences that are meant", keys: acceptKeys(),
			begin: func(c *Config) { c.Accept = append(c.Accept, acceptance.Entry{From: acceptance.FromConfig}) }, end: endAccept},
		{name: "relations", shape: entries, doc: "metamorphic relations: how outputs of a function are related if its inputs are", keys: relationKeys(),
			begin: func(c *Config) { c.Relations = append(c.Relations, declare.Declaration{}) }, end: endRelation},
		{name: "categories", shape: entries, doc: "categories of a function's inputs and outputs, with their choices, by which adequacy is measured", keys: categoryKeys(),
			begin: func(c *Config) { c.Categories = append(c.Categories, declare.Categorisation{}) }, end: endCategories},
		{name: "automr", shape: section, doc: "inference of polynomial relations of numeric functions (AutoMR)", keys: []key{
			{name: "method", flag: "automr", shape: text, values: []string{"null-space", "paper", "off"},
				doc: "how relations are inferred: null-space, by singular values; paper, by the paper's search over both sides; off",
				set: one(func(c *Config, s string) error { c.AutoMR = s; return nil }),
				get: func(c Config) []string { return []string{c.AutoMR} }},
		}},
		{name: "seed", flag: "seed", shape: integer, example: "1",
			doc: "seed of everything that is chosen at random",
			set: one(func(c *Config, s string) (err error) { c.Seed, err = whole(s, 64); return err }),
			get: func(c Config) []string { return []string{strconv.FormatInt(c.Seed, 10)} }},
		{name: "calls", flag: "calls", shape: boolean,
			doc: "call functions that show the change on both versions, with generated inputs",
			set: one(func(c *Config, s string) (err error) { c.Calls, err = yesNo(s); return err }),
			get: func(c Config) []string { return []string{strconv.FormatBool(c.Calls)} }},
		{name: "prune", flag: "prune", shape: boolean,
			doc: "leave out variants that provably cannot differ",
			set: one(func(c *Config, s string) (err error) { c.Prune, err = yesNo(s); return err }),
			get: func(c Config) []string { return []string{strconv.FormatBool(c.Prune)} }},
	}
}

// A setting is a key that has a value by itself, with its name as in "test.env".
type setting struct {
	key
	path string
}

// settings are the keys of the file in its order, sections taken apart.
func settings() []setting {
	var all []setting
	for _, k := range keys() {
		if k.shape != section {
			all = append(all, setting{k, k.name})
			continue
		}
		for _, inner := range k.keys {
			all = append(all, setting{inner, k.name + "." + inner.name})
		}
	}
	return all
}

// put checks the values against the closed set and gives them to set.
func (k key) put(c *Config, values []string) error {
	if k.values != nil {
		for _, v := range values {
			if !slices.Contains(k.values, v) {
				return wrong(v, "is no value of %s; use %s%s", k.name, oneOf(k.values), spelling.DidYouMean(v, k.values))
			}
		}
	}
	return k.set(c, values)
}

func oneOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}

// one adapts a setter of one value.
func one(set func(*Config, string) error) func(*Config, []string) error {
	return func(c *Config, values []string) error {
		if len(values) != 1 {
			return fmt.Errorf("wanted one value, got %d", len(values))
		}
		return set(c, values[0])
	}
}

// texts replaces a list after checking its elements.
func texts(field func(*Config) *[]string, check func(string) error) func(*Config, []string) error {
	return func(c *Config, values []string) error {
		for _, v := range values {
			if err := check(v); err != nil {
				return err
			}
		}
		*field(c) = slices.Clone(values)
		return nil
	}
}

func packagePattern(s string) error {
	if err := pattern.Check(s); err != nil {
		return wrong(s, "is %v", err)
	}
	if pattern.Leaves(s) {
		return wrong(s, "leads out of the module; write ./sub/... for example, relative to the module")
	}
	return nil
}

func buildTag(s string) error {
	if !regexp.MustCompile(`^[\p{L}\p{Nd}_.]+$`).MatchString(s) {
		return wrong(s, "is no build tag; a tag is made of letters, digits, dots and underscores")
	}
	return nil
}

func testPattern(s string) error {
	if s == "" {
		return errors.New("an empty pattern would skip every test")
	}
	for part := range strings.SplitSeq(s, "/") {
		if _, err := regexp.Compile(part); err != nil {
			return wrong(s, "is no regular expression: %s", syntaxOf(err))
		}
	}
	return nil
}

// reserved flags are set by isodelta, or would change what its numbers mean.
func reserved() map[string]string {
	return map[string]string{
		"run": "choose packages with packages, and leave tests out with test.skip", "skip": "use test.skip", "tags": "use tags",
		"timeout": "isodelta ends what runs too long by counting work", "count": "isodelta repeats tests by itself",
		"c": "", "o": "", "exec": "", "json": "", "v": "", "overlay": "", "vet": "", "list": "", "bench": "", "fuzz": "",
		"fuzztime": "", "cover": "", "covermode": "", "coverpkg": "", "coverprofile": "", "args": "", "C": "", "failfast": "",
		"cpuprofile": "", "memprofile": "", "trace": "", "outputdir": "", "toolexec": "", "modfile": "",
	}
}

func testFlag(s string) error {
	name, isFlag := strings.CutPrefix(s, "-")
	if !isFlag || name == "" {
		return wrong(s, "is no flag; write for example -short, and a flag with its value as one text: -race=true")
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "-"), "test.")
	name, _, _ = strings.Cut(name, "=")
	if hint, taken := reserved()[name]; taken {
		if hint == "" {
			hint = "isodelta sets it by itself, or cannot work with it"
		}
		return fmt.Errorf("-%s cannot be given: %s", name, hint)
	}
	return nil
}

// belowTests are variables that the dynamic loader or Go's run time obey before
// any code of a test runs.
var belowTests = lazyregexp.New(`^(LD_.*|DYLD_.*|GLIBC_TUNABLES|GODEBUG)$`)

func setEnv(c *Config, pairs []string) error {
	env := map[string]string{}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
			return wrong(p, "is no environment variable; wanted a name of letters, digits and _, and a value")
		}
		if strings.ContainsRune(value, 0) {
			return fmt.Errorf("the value of %s holds a NUL byte", name)
		}
		if belowTests().MatchString(name) {
			return fmt.Errorf("%s cannot be set: it changes what runs below the tests and not the tests; a setting of GODEBUG belongs into a godebug line of go.mod", name)
		}
		env[name] = value
	}
	c.Test.Env = env
	return nil
}

func getEnv(c Config) []string {
	var pairs []string
	for name, value := range c.Test.Env {
		pairs = append(pairs, name+"="+value)
	}
	slices.Sort(pairs)
	return pairs
}

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, wrong(s, "is no duration; write for example 10m, 90s or 1h30m")
	}
	if d <= 0 {
		return 0, wrong(s, "leaves no time; wanted a duration above 0, such as 10m")
	}
	return d, nil
}

func depth(s string) (int, error) {
	if s == "any" {
		return 0, nil
	}
	n, err := whole(s, 32)
	if err != nil || n < 1 {
		return 0, wrong(s, "is no depth; write a whole number from 1, or any")
	}
	return int(n), nil
}

func depthText(n int) string {
	if n == 0 {
		return "any"
	}
	return strconv.Itoa(n)
}

func count(s string) (int, error) {
	n, err := whole(s, 32)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, wrong(s, "is negative; wanted a number of variants, or 0 for no limit")
	}
	return int(n), nil
}

func whole(s string, bits int) (int64, error) {
	n, err := strconv.ParseInt(s, 10, bits)
	if err != nil {
		return 0, wrong(s, "is no whole number (of at most %d bits)", bits)
	}
	return n, nil
}

func yesNo(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, wrong(s, "is neither true nor false")
}

// A valueError is about a value that a user wrote. The errors of a flag show the
// value; those of a file leave it out, since they stand in logs that everybody can
// read, and the file may be anything.
type valueError struct{ value, problem string }

func (e *valueError) Error() string { return quote(e.value) + " " + e.problem }

func wrong(value, format string, args ...any) error {
	return &valueError{value, fmt.Sprintf(format, args...)}
}

// syntaxOf is what is wrong with a regular expression, without quoting it.
func syntaxOf(err error) string {
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return wrong.Code.String()
	}
	return "it cannot be compiled"
}

// quote shows what a user wrote; it may hold anything.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}
