package surface

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What reads a whole project needs files that belong together, as they stand in a folder of testdata. So whole folders
// are taken as they are, and only of other files some are left out.

const (
	maxTogether = 8 // files of a folder, with those in folders below it
	maxProjects = 6 // folders
)

// fileBelow is a file's name as it is given to calls: the path below testdata where it is there, and else the name without
// folders.
func fileBelow(file string) string {
	name := filepath.ToSlash(file)
	if _, below, ok := strings.Cut(name, "/testdata/"); ok {
		return below
	}
	return path.Base(name)
}

// filesOfProjects returns so many files at most, in their order: those of some whole folders, and others spread over the rest.
func filesOfProjects(list [][2]string, most int) [][2]string {
	chosen := map[string]bool{}
	for _, files := range spread(projects(list, ""), maxProjects) {
		if len(chosen)+len(files) <= most {
			for _, f := range files {
				chosen[f[0]] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(f [2]string) bool { return chosen[f[0]] })
	out := slices.DeleteFunc(slices.Clone(list), func(f [2]string) bool { return !chosen[f[0]] })
	return append(out, spread(rest, most-len(out))...)
}

// projects returns the files of each folder below one that holds few enough, and more than one.
func projects(list [][2]string, below string) [][][2]string {
	folders := map[string][][2]string{}
	var order []string
	for _, f := range list {
		name, ok := strings.CutPrefix(f[0], below)
		folder, _, deeper := strings.Cut(name, "/")
		if !ok || !deeper {
			continue
		}
		if folders[folder] == nil {
			order = append(order, folder)
		}
		folders[folder] = append(folders[folder], f)
	}
	var out [][][2]string
	for _, folder := range order {
		switch files := folders[folder]; {
		case len(files) > maxTogether:
			out = append(out, projects(files, below+folder+"/")...)
		case len(files) > 1:
			out = append(out, files)
		}
	}
	slices.SortStableFunc(out, func(a, b [][2]string) int { return cmp.Compare(a[0][0], b[0][0]) })
	return out
}
