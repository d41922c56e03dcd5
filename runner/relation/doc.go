// Package relation models metamorphic relations of Go functions.
package relation
