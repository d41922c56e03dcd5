package load

import (
	"cmp"
	"go/token"
)

// Place is where something starts in a tree: a leaf condition, a loop, the func
// keyword of a declaration. It names the same thing in isomorph, instrument and
// surface, and what they know of it is joined by it. It holds for as long as the
// file is what was loaded.
//
// Places are compared with == and are keys of maps. A line therefore is no part of
// one: it follows from the offset, and a place made without it would not be found.
// What is shown to people has the line beside the place.
//
// It stands here because whoever makes a place has a Tree, and because this package
// imports none of ours. The zero Place is that of what a tree does not have.
type Place struct {
	File   string // slash-separated, relative to the tree's root
	Offset int    // in bytes, from 0
}

// Compare orders places by file and offset.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Offset, q.Offset))
}

// Place returns the place of a position, whatever //line directives say.
func (t *Tree) Place(pos token.Pos) Place {
	at := t.Fset.PositionFor(pos, false)
	return Place{File: t.Rel(at.Filename), Offset: at.Offset}
}

// Line returns the line of a position, from 1, whatever //line directives say.
func (t *Tree) Line(pos token.Pos) int { return t.Fset.PositionFor(pos, false).Line }
