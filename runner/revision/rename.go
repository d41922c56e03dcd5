package revision

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
)

const (
	minSimilar = 0.6     // share of lines that a renamed file keeps
	maxPairs   = 250_000 // pairs of files to compare; beyond, only equal contents count
)

// findRenames pairs added files with the deleted files they come from.
func findRenames(baseRoot, headRoot string, deleted, added []string) (map[string]string, error) {
	renames := map[string]string{}
	if len(deleted) == 0 || len(added) == 0 {
		return renames, nil
	}
	taken, err := findMoved(baseRoot, headRoot, deleted, added, renames)
	if err != nil {
		return nil, err
	}
	deleted = slices.DeleteFunc(slices.Clone(deleted), func(name string) bool { return taken[name] })
	added = slices.DeleteFunc(slices.Clone(added), func(name string) bool { return renames[name] != "" })
	if len(deleted)*len(added) > maxPairs {
		return renames, nil
	}
	return renames, findSimilar(baseRoot, headRoot, deleted, added, renames)
}

// findMoved pairs files of equal content, preferably those of equal name.
func findMoved(baseRoot, headRoot string, deleted, added []string, renames map[string]string) (taken map[string]bool, err error) {
	bySum := map[string][]string{}
	for _, name := range deleted {
		sum, err := checksum(below(baseRoot, name))
		if err != nil {
			return nil, err
		}
		if sum != "" {
			bySum[sum] = append(bySum[sum], name)
		}
	}
	taken = map[string]bool{}
	for _, sameName := range []bool{true, false} {
		for _, name := range added {
			if renames[name] != "" {
				continue
			}
			sum, err := checksum(below(headRoot, name))
			if err != nil {
				return nil, err
			}
			for _, old := range bySum[sum] {
				if !taken[old] && alike(old, name) && (!sameName || path.Base(old) == path.Base(name)) {
					renames[name], taken[old] = old, true
					break
				}
			}
		}
	}
	return taken, nil
}

// alike reports whether one file may be the other under a new name: tests are
// kept apart from code, and kinds of files from each other.
func alike(old, name string) bool {
	return path.Ext(old) == path.Ext(name) && isTest(old) == isTest(name) && inTestdata(old) == inTestdata(name)
}

// checksum returns "" for what is never taken for renamed: empty files and links.
func checksum(file string) (string, error) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return "", err
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("reading %s: %w", file, err)
	}
	return string(h.Sum(nil)), nil
}

// findSimilar pairs the most similar files first.
func findSimilar(baseRoot, headRoot string, deleted, added []string, renames map[string]string) error {
	before, err := lineCounts(baseRoot, deleted)
	if err != nil {
		return err
	}
	after, err := lineCounts(headRoot, added)
	if err != nil {
		return err
	}
	type pair struct {
		old, name string
		share     float64
		sameName  bool
	}
	var pairs []pair
	for _, name := range added {
		for _, old := range deleted {
			if !alike(old, name) {
				continue
			}
			if share := similarity(before[old], after[name]); share >= minSimilar {
				pairs = append(pairs, pair{old, name, share, path.Base(old) == path.Base(name)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		same := 0
		if a.sameName != b.sameName {
			same = 1
			if a.sameName {
				same = -1
			}
		}
		return cmp.Or(cmp.Compare(b.share, a.share), same, cmp.Compare(a.name, b.name), cmp.Compare(a.old, b.old))
	})
	taken := map[string]bool{}
	for _, p := range pairs {
		if renames[p.name] == "" && !taken[p.old] {
			renames[p.name], taken[p.old] = p.old, true
		}
	}
	return nil
}

// lineCount counts the lines of a text that say something: not blank.
type lineCount struct {
	total int
	times map[string]int
}

func lineCounts(root string, names []string) (map[string]lineCount, error) {
	counts := map[string]lineCount{}
	for _, name := range names {
		content, isText, err := text(below(root, name))
		if err != nil {
			return nil, err
		}
		c := lineCount{times: map[string]int{}}
		if isText {
			for _, line := range lines(content) {
				if line = bytes.TrimSpace(line); len(line) > 0 {
					c.times[string(line)]++
					c.total++
				}
			}
		}
		counts[name] = c
	}
	return counts, nil
}

// similarity is the share of the longer text's lines that both have.
func similarity(a, b lineCount) float64 {
	longer := max(a.total, b.total)
	if longer == 0 || float64(min(a.total, b.total)) < minSimilar*float64(longer) {
		return 0
	}
	common := 0
	for line, n := range a.times {
		common += min(n, b.times[line])
	}
	return float64(common) / float64(longer)
}
