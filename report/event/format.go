package event

import (
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/mod/module"
)

// Formats of texts that are names of something (the "format" tags of the
// structs). A reader may hand such a text on, to the go command or to a file
// system, so it has to be what it is taken for. An empty text is in every format.
const (
	importPath = "import-path"
	testName   = "test-name"
	localPath  = "local-path" // slash-separated, within the repository
	shardName  = "shard"
)

// checkFormat says why s is not in a format.
func checkFormat(format, s string) error {
	if s == "" {
		return nil
	}
	switch format {
	case importPath:
		if err := module.CheckImportPath(s); err != nil {
			return errors.New("is no import path")
		}
	case testName:
		if test, _, _ := strings.Cut(s, "/"); !token.IsIdentifier(test) { // a subtest's name may be anything
			return errors.New("is no name of a Go test")
		}
	case localPath:
		if !isLocal(s) {
			return errors.New("is no path within the repository")
		}
	case shardName:
		if _, err := ParseShard(s); err != nil {
			return errors.New("is no shard such as 2/4")
		}
	}
	return nil
}

// isLocal reports whether a slash-separated path stays below where it starts, on
// every system: a backslash or a drive would lead elsewhere on some.
func isLocal(s string) bool {
	return !strings.ContainsAny(s, "\\\x00") && filepath.IsLocal(filepath.FromSlash(s))
}

// formatOf reads the format off a field's tag; "" for free text.
func formatOf(f reflect.StructField) string {
	for _, name := range tagged(f, "format=") {
		return name
	}
	return ""
}

func validateFormat(f reflect.StructField, v reflect.Value, path string) error {
	format := formatOf(f)
	if format == "" {
		return nil
	}
	if err := checkFormat(format, v.String()); err != nil {
		return fmt.Errorf("field %q, %s, %w", path, quote(v.String()), err)
	}
	return nil
}
