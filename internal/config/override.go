package config

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// Overrides are single settings that replace those of the file: the
// command-line flags that were given. The zero value overrides nothing.
type Overrides struct {
	values map[string][]string // by flag name, in the form that key.set takes
}

// Flags defines a flag for each setting on fs, and --no-prune and --no-calls, and
// returns the overrides that parsing fs will fill. A flag for a list takes commas and may be
// repeated. Mistakes are reported by fs.Parse.
func Flags(fs *flag.FlagSet) *Overrides {
	o := &Overrides{}
	for _, k := range flagKeys() {
		usage := k.doc
		if k.values != nil {
			usage += " (" + strings.Join(k.values, "|") + ")"
		}
		if d := strings.Join(k.get(Default()), ","); d != "" && k.shape != boolean {
			usage += " (default " + d + ")"
		}
		set := func(s string) error { return o.add(k, s) }
		if k.shape == boolean {
			fs.BoolFunc(k.flag, usage, set)
		} else {
			fs.Func(k.flag, usage, set)
		}
		if negated := map[string]string{
			"prune": "run every variant, also those that provably cannot differ",
			"calls": "make no calls of our own",
		}[k.name]; negated != "" {
			fs.BoolFunc("no-"+k.flag, negated, func(s string) error {
				no, err := yesNo(s)
				if err != nil {
					return err
				}
				return set(fmt.Sprint(!no))
			})
		}
	}
	return o
}

// Set overrides one setting by the name of its flag, as that flag would.
func (o *Overrides) Set(name, value string) error {
	for _, k := range flagKeys() {
		if k.flag == name {
			return o.add(k, value)
		}
	}
	return fmt.Errorf("no setting is called %s", quote(name))
}

// Given reports whether a setting is overridden, by its name in the file, such as
// "test.env".
func (o *Overrides) Given(name string) bool {
	if name == "policy" {
		name = "fail-on"
	}
	return slices.ContainsFunc(settings(), func(s setting) bool {
		_, given := o.values[s.flag]
		return s.path == name && s.flag != "" && given
	})
}

// Apply returns c with the overrides in place. Terms to fail on that are given
// count for all packages: they replace the exceptions, too.
func (o *Overrides) Apply(c Config) (Config, error) {
	for _, k := range flagKeys() {
		values, given := o.values[k.flag]
		if !given {
			continue
		}
		if err := k.put(&c, values); err != nil {
			return Config{}, fmt.Errorf("--%s: %w", k.flag, err)
		}
		if k.name == "fail-on" {
			c.Policy = nil
		}
	}
	return c, nil
}

func (o *Overrides) add(k key, s string) error {
	values := []string{s}
	switch k.shape {
	case list:
		values = slices.DeleteFunc(strings.Split(s, ","), func(s string) bool { return s == "" })
		if k.name == "skip" || k.name == "flags" {
			values = []string{s} // a comma may be part of it
		}
		values = append(slices.Clone(o.values[k.flag]), values...)
	case mapping:
		values = append(slices.Clone(o.values[k.flag]), s)
	}
	scratch := Default()
	if err := k.put(&scratch, values); err != nil {
		return err
	}
	if o.values == nil {
		o.values = map[string][]string{}
	}
	o.values[k.flag] = values
	return nil
}

// flagKeys are the keys that a flag can override.
func flagKeys() []key {
	var all []key
	for _, s := range settings() {
		if s.flag != "" {
			all = append(all, s.key)
		}
	}
	return all
}
