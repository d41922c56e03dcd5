//go:build go1.21

package harness

import (
	"os"
	"path/filepath"
	"strings"
)

// ownFolder begins the name of the folder that both versions are laid out in. Each tree is two folders below it: in one of its
// version is one that is called what the repository is.
const ownFolder, treeBelow = string(filepath.Separator) + "isodelta-", 3

// portable is a text that a test has made of where it runs, as it may stand in a test: a path into the version's tree, which
// has another place with everybody else, goes from the package's folder instead. The test binary's path differs between
// the versions, so only its name stays.
func portable(s string) string {
	if !strings.Contains(s, ownFolder) {
		return s
	}
	if program, err := os.Executable(); err == nil {
		s = strings.ReplaceAll(s, program, filepath.Base(program))
	}
	here, err := os.Getwd()
	if err != nil {
		return s
	}
	from := strings.Index(here, ownFolder)
	if from < 0 {
		return s
	}
	below := strings.SplitAfterN(here[from+1:], string(filepath.Separator), treeBelow+1)
	if len(below) < treeBelow {
		return s
	}
	root := strings.TrimSuffix(here[:from+1]+strings.Join(below[:treeBelow], ""), string(filepath.Separator))
	if s != root && !strings.HasPrefix(s, root+string(filepath.Separator)) {
		return s
	}
	rel, err := filepath.Rel(here, s)
	if err != nil {
		return s
	}
	return rel
}
