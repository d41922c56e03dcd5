package probe

import (
	"reflect"
	"strconv"
	"testing"
)

// node is one of a document: each leads to all others.
type node struct {
	Kind                   int
	Name                   string
	Attributes             []attribute
	Parent, Previous, Next *node
	First, Last            *node
	meta                   any
	hidden                 map[string]string
}

type attribute struct{ Space, Key, Value string }

// documentOf makes a tree of nodes, each with so many children down to a depth.
func documentOf(children, depth int) *node {
	n := &node{Kind: depth, Name: "n" + strconv.Itoa(depth), Attributes: []attribute{{Key: "class", Value: "a b"}}, meta: depth}
	if depth == 0 {
		n.hidden = map[string]string{"a": "b"}
		return n
	}
	for range children {
		c := documentOf(children, depth-1)
		c.Parent, c.Previous = n, n.Last
		if n.Last == nil {
			n.First = c
		} else {
			n.Last.Next = c
		}
		n.Last = c
	}
	return n
}

// What calls give is most often small, or a document that leads to all its parts.
func BenchmarkDigest(b *testing.B) {
	for _, x := range []struct {
		name  string
		value any
	}{
		{"number", 7},
		{"texts", []string{"a", "bc", "def"}},
		{"struct", attribute{"a", "b", "c"}},
		{"document of 13", documentOf(3, 2)},
		{"document of 364", documentOf(3, 5)},
	} {
		b.Run(x.name, func(b *testing.B) {
			v := reflect.ValueOf(x.value)
			b.ReportAllocs()
			for b.Loop() {
				Digest(v)
			}
		})
	}
}
