package report

import "github.com/isodelta/isodelta/report/event"

// shownFacets bounds the facets of a cluster that are told in a sentence each.
const shownFacets = 4

// facetsTitle stands above them where all of their evidence is shown.
const facetsTitle = "More of the same: what else these changes do"

// facets tells what else there is of a cluster, the worst first, one in a sentence each, and of those beyond
// most their number.
func facets(c cluster, most int) []phrase {
	var list []phrase
	for i, x := range c.facets {
		if i == most {
			list = append(list, words(number(len(c.facets)-i)+" more"))
			break
		}
		list = append(list, facet(c, x))
	}
	return list
}

// facet says what differs, where the edit to blame stands if it is another one than the cluster's, and the identifier.
func facet(of, x cluster) phrase {
	f := x.representative
	p := claim(f)
	if f.Rung == event.Forced {
		p = say(p, ", forced")
	}
	if len(of.representative.Blamed) > 0 && len(f.Blamed) > 0 && !f.Blamed[0].Same(of.representative.Blamed[0]) {
		p = say(p, ", by ", named(lineRange(editsOf(f)[0])))
	}
	return say(p, " · ", named(shorten(f.Cluster, valueLength)))
}

// facetsInShort names them; nil for none.
func facetsInShort(c cluster) phrase {
	if len(c.facets) == 0 {
		return nil
	}
	var ids []string
	for _, x := range c.facets {
		ids = append(ids, shorten(x.representative.Cluster, valueLength))
	}
	return say("; besides, "+number(len(c.facets))+" more of the same change: ", names(ids, shownFacets))
}

// facetsOf are those of all in a list.
func facetsOf(list []cluster) []cluster {
	var out []cluster
	for _, c := range list {
		out = append(out, c.facets...)
	}
	return out
}
