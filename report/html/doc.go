// Package html writes a comparison as one HTML file that can be kept, mailed and
// opened anywhere: no script, no network, nothing beside the file. A
// Content-Security-Policy in it forbids everything but its own style sheet, by
// the hash of that.
//
// [Write] takes what package report has put into words, as texts whose parts
// say what they are, and adds the looks: the verdict, a table of what differs,
// each difference with its evidence, and the functions' control-flow graphs of
// both versions side by side, as in Figure 2 of the ISON paper. Everything goes
// through html/template, so a text from the tested repository never becomes
// markup; what cannot be seen has to be spelled out by the caller.
//
// # Graphs
//
// They are drawn as inline SVG by a small layered layout (layout.go): nodes go
// to layers by the longest way from the entry, are ordered within them by the
// barycentres of their neighbours, and are moved to where their edges are
// straightest by isotonic regression, which keeps order and distances. Edges
// that lead back, or so far that room between the nodes would run out, run at
// the side. The same input gives the same picture.
//
// What a node is, whether it has a counterpart, whether it was negated and what
// executed it can each be told without colours: by its outline's shape, by the
// outline's line, by a mark, and by a filled, half or empty circle. A node and
// its counterpart carry the same number.
//
// # What it cannot do
//
//   - Edges may cross, and long functions make tall pictures.
//   - It draws at most a fixed number of nodes in all (maxNodes); what is left
//     out is said.
package html
