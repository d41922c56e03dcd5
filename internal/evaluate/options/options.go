package options

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A UsageError says which argument is wrong and what it may be.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// Wrong returns a UsageError.
func Wrong(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Flags are the flags of one evaluation.
type Flags struct {
	*flag.FlagSet
	parts []string
	asked map[string]*bool
}

// New returns no flags yet; help goes to out.
func New(evaluation string, out io.Writer) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet("evaluate "+evaluation, flag.ContinueOnError), asked: map[string]*bool{}}
	f.SetOutput(out)
	return f
}

// AddParts adds a flag for each part of the evaluation.
func (f *Flags) AddParts(parts []string) {
	f.parts = parts
	for _, p := range parts {
		f.asked[p] = f.Bool(p, false, "run this part and others so named only (default all)")
	}
}

// Parse reads the arguments, which are flags. The error is flag.ErrHelp or
// a *UsageError.
func (f *Flags) Parse(args []string) error {
	switch err := f.FlagSet.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return Wrong("%v", err)
	case f.NArg() > 0:
		return Wrong("unexpected argument %q; all settings are flags", f.Arg(0))
	}
	return nil
}

// Parts returns the parts that were asked for, or all, in the order in which
// AddParts was given them.
func (f *Flags) Parts() []string {
	asked := slices.DeleteFunc(slices.Clone(f.parts), func(p string) bool { return !*f.asked[p] })
	if len(asked) == 0 {
		return f.parts
	}
	return asked
}

// Group is a name for several of what a list may hold.
type Group struct {
	Name string
	Of   []string
}

// Choose splits the list that the flag name has at its commas, and returns what it
// names in the order of known, which may be nothing.
func Choose(name, list string, known []string, groups ...Group) ([]string, error) {
	asked := map[string]bool{}
	for x := range strings.SplitSeq(list, ",") {
		x = strings.TrimSpace(x)
		group := slices.IndexFunc(groups, func(g Group) bool { return g.Name == x })
		switch {
		case x == "":
		case group >= 0:
			for _, y := range groups[group].Of {
				asked[y] = true
			}
		case !slices.Contains(known, x):
			var names []string
			for _, g := range groups {
				names = append(names, g.Name)
			}
			return nil, Wrong("-%s: %q is unknown; choose from %s", name, x, strings.Join(append(names, known...), ", "))
		default:
			asked[x] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(known), func(x string) bool { return !asked[x] }), nil
}

// ChooseSome is Choose where the list has to name something.
func ChooseSome(name, list string, known []string, groups ...Group) ([]string, error) {
	chosen, err := Choose(name, list, known, groups...)
	if err == nil && len(chosen) == 0 {
		return nil, Wrong("-%s names none; leave it out for the default", name)
	}
	return chosen, err
}
