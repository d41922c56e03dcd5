package kmr

import (
	"embed"
	"io/fs"

	"github.com/isodelta/isodelta/internal/evaluate/faulty"
)

// sources are the packages that a child is built of.
//
//go:embed subjects/*.go properties/*.go measure/*.go
var sources embed.FS

// Code is what children of this evaluation are built of.
func Code() faulty.Code {
	return faulty.Code{Folders: map[string]fs.FS{"kmr": sources}, Programs: "kmr/subjects", Relations: "kmr/properties"}
}
