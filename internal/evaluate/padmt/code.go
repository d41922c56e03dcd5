package padmt

import (
	"embed"
	"io/fs"

	"github.com/isodelta/isodelta/internal/evaluate/faulty"
	"github.com/isodelta/isodelta/internal/evaluate/kmr"
	kmrproperties "github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/properties"
)

// sources are the packages that children of our own functions are built of.
//
//go:embed programs/*.go properties/*.go
var sources embed.FS

// collection is a package of functions with the one of their relations.
type collection struct {
	code     faulty.Code
	subjects []kmrproperties.Subject
}

// collections are the functions of the evaluation of k-MR coverage, and our own.
func collections() []collection {
	theirs := kmr.Code()
	ours := faulty.Code{Folders: map[string]fs.FS{"kmr": theirs.Folders["kmr"], "padmt": sources}, Programs: "padmt/programs", Relations: "padmt/properties"}
	return []collection{{theirs, kmrproperties.Subjects()}, {ours, properties.Subjects()}}
}

// has returns the subject that is called so, nil if the collection has none.
func (c collection) has(name string) kmrproperties.Subject {
	for _, s := range c.subjects {
		if s.Describe().Name == name {
			return s
		}
	}
	return nil
}

// known are the names of all subjects.
func known() []string {
	var out []string
	for _, c := range collections() {
		for _, s := range c.subjects {
			out = append(out, s.Describe().Name)
		}
	}
	return out
}
