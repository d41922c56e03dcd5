package check

import (
	"hash/fnv"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Share is a part of the functions whose relations are checked: that of one job of several
// that divide a comparison, Shard of Shards counted from 1, or all with 0 of 0. Which part
// a function belongs to hangs on its name alone, so that each belongs to one.
type Share struct{ Shard, Shards int }

// has reports whether a function is of the share.
func (s Share) has(pkg, function string) bool {
	if s.Shards < 2 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(pkg + "\x00" + function))
	return int(h.Sum32()%uint32(s.Shards)) == s.Shard-1
}

// of returns the operations of the share.
func (s Share) of(a *surface.API, ops []wire.Op) []wire.Op {
	return slices.DeleteFunc(slices.Clone(ops), func(op wire.Op) bool { return !s.has(a.Op(op).Package, a.Op(op).Name) })
}

// own are the operations of a package whose relations are checked here.
func (r *Registrar) own(a *surface.API) []wire.Op { return r.Share.of(a, r.related(a)) }
