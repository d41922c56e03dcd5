package report

import (
	"cmp"
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// upgraded is a dependency with other code, in words.
type upgraded struct {
	module, versions phrase
	says             phrase
	address          string // of both versions side by side; "" where it is not known
}

// line is an upgrade on one line, without its link.
func (u upgraded) line() phrase { return say(u.module, " ", u.versions, ": ", u.says) }

// upgrades are the dependencies that base and head are both built with, those that the code
// reaches first, and how many further ones there are.
func upgrades(s *event.Stream) (list []upgraded, more int) {
	var all []event.Dependency
	for _, m := range s.Matches {
		for _, d := range m.Dependencies {
			if d.Base != "" && d.Head != "" {
				all = append(all, d)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b event.Dependency) int {
		return cmp.Or(cmp.Compare(b.Reached, a.Reached), cmp.Compare(b.Functions, a.Functions), cmp.Compare(a.Module, b.Module))
	})
	for i, d := range all {
		if i == listed {
			return list, len(all) - listed
		}
		list = append(list, upgraded{module: named(shorten(d.Module, siteLength)), versions: versionsOf(d.Base, d.Head), says: saysOf(d), address: diffAddress(d.Module, d.Base, d.Head)})
	}
	return list, 0
}

func versionsOf(base, head string) phrase {
	if base == head {
		return say("at ", named(shorten(base, siteLength)))
	}
	return say(named(shorten(base, siteLength)), " → ", named(shorten(head, siteLength)))
}

// saysOf says what of a dependency changed, and what of that matters here.
func saysOf(d event.Dependency) phrase {
	switch {
	case d.OnlyTests:
		return words("only tests are built with what changed")
	case d.NotCompared:
		return words("its functions were not compared")
	case d.Functions == 0:
		return words("no function that is linked changed")
	case d.Reached == 0:
		return words("no call here is known to reach the " + count(d.Functions, "function") + " that changed")
	}
	text := count(d.Reached, "function") + " that you reach changed"
	if d.Callers > 0 {
		text += ", from " + count(d.Callers, "function") + " here"
	}
	return words(text)
}

// namesThrough bounds the functions of a dependency that are named behind an item.
const namesThrough = 3

// through says which changed functions of dependencies the changed functions that ran call;
// nil for none.
func (b blame) through(f event.Finding) phrase {
	names, counts, versions := map[string][]string{}, map[string]int{}, map[string]phrase{}
	var modules []string
	for _, name := range f.Changed {
		for _, c := range b[name] {
			for _, t := range c.Through {
				if counts[t.Module] == 0 {
					modules = append(modules, t.Module)
				}
				versions[t.Module] = versionsOf(t.Base, t.Head)
				counts[t.Module] = max(counts[t.Module], t.Count)
				for _, n := range t.Functions {
					if !slices.Contains(names[t.Module], n) {
						names[t.Module] = append(names[t.Module], n)
					}
				}
			}
		}
	}
	var p phrase
	for i, module := range modules {
		if i == namesThrough {
			return say(p, "; and "+count(len(modules)-i, "more module"))
		}
		if i > 0 {
			p = say(p, "; ")
		}
		p = say(p, named(shorten(module, siteLength)), " ", versions[module])
		var shown []phrase
		for k, n := range names[module] {
			if k == namesThrough {
				break
			}
			shown = append(shown, named(shorten(n, siteLength)))
		}
		if n := max(counts[module], len(names[module])) - len(shown); n > 0 {
			shown = append(shown, words(number(n)+" more"))
		}
		p = say(p, ": ", commas(shown))
	}
	return p
}

// itself returns those of the changed functions that ran whose own code changed.
func (b blame) itself(f event.Finding) []string {
	return slices.DeleteFunc(slices.Clone(f.Changed), func(name string) bool {
		items := b[name]
		return len(items) > 0 && !slices.ContainsFunc(items, func(c event.ChangedItem) bool { return c.Status != event.StatusThrough })
	})
}

// dependencies are those of a stream that changed, by module.
func dependencies(s *event.Stream) map[string]event.Dependency {
	out := map[string]event.Dependency{}
	for _, m := range s.Matches {
		for _, d := range m.Dependencies {
			out[d.Module] = d
		}
	}
	return out
}
