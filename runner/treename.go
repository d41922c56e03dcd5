package runner

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/version"
)

// unnamedTree is the folder of a version whose repository has no name that could be one.
const unnamedTree = "tree"

// folderName matches what a tree's folder may be called.
var folderName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// nameTrees calls both trees' folders what a clone of the repository would be called. Some tests look
// for their files by that name. It is taken from the module at the top of head, so that it is the same wherever the run is.
func nameTrees(versions version.Both[*build.Version]) error {
	content, err := os.ReadFile(filepath.Join(versions[version.Head].Root, "go.mod"))
	if err != nil {
		return nil // a repository without a module at its top
	}
	name := treeName(modfile.ModulePath(content))
	if name == unnamedTree {
		return nil
	}
	for _, v := range versions {
		named := filepath.Join(filepath.Dir(v.Root), name)
		if err := os.Rename(v.Root, named); err != nil {
			return fmt.Errorf("naming the folder of %s: %w", v.Side, err)
		}
		v.Root = named
	}
	return nil
}

// treeName returns the last element of a module's path that is no version.
func treeName(modulePath string) string {
	prefix, _, ok := module.SplitPathVersion(modulePath)
	if !ok {
		prefix = modulePath
	}
	name := path.Base(strings.TrimSuffix(prefix, ".git"))
	if !folderName.MatchString(name) {
		return unnamedTree
	}
	return name
}
