package runner

import (
	"bufio"
	"bytes"
	"fmt"
	"go/build"
	"go/build/constraint"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

// maxExcluded bounds the changed files that are named since nothing compiles them.
const maxExcluded = 20

// listExcluded names the changed Go files of the module that build constraints leave out
// here: what they hold is not compared.
func (r *run) listExcluded() error {
	base, head := r.versions[version.Base], r.versions[version.Head]
	changes, err := revision.Changes(base.Root, head.Root)
	if err != nil {
		return err
	}
	how := r.buildContext()
	n := 0
	for _, c := range changes {
		if path.Ext(c.Path) != ".go" || c.Testdata || r.moduleDir != "." && !strings.HasPrefix(c.Path, r.moduleDir+"/") {
			continue
		}
		root := head.Root
		if c.Status == revision.Deleted {
			root = base.Root
		}
		why, excluded := exclusion(how, filepath.Join(root, filepath.FromSlash(c.Path)))
		if excluded && n < maxExcluded {
			r.env.Limit(event.Limit{Kind: event.LimitConstraint, What: c.Path, Reason: why})
			n++
		}
	}
	return nil
}

// buildContext is what the go command selects files by.
func (r *run) buildContext() *build.Context {
	how := build.Default
	how.BuildTags = r.opt.Tags
	release := strings.TrimPrefix(r.chain.Go.GOVERSION, "go1.")
	digits := strings.IndexFunc(release, func(c rune) bool { return c < '0' || c > '9' })
	if digits < 0 {
		digits = len(release)
	}
	if minor, err := strconv.Atoi(release[:digits]); err == nil {
		how.ReleaseTags = nil
		for i := range minor {
			how.ReleaseTags = append(how.ReleaseTags, fmt.Sprintf("go1.%d", i+1))
		}
	}
	return &how
}

// exclusion says why a file is not compiled; false for one that is, and for one that never
// is by itself (go:build ignore).
func exclusion(how *build.Context, file string) (why string, excluded bool) {
	if match, err := how.MatchFile(filepath.Dir(file), filepath.Base(file)); match || err != nil {
		return "", false
	}
	expr := constraintOf(file)
	if expr == nil {
		return fmt.Sprintf("its name says that it is for another system than %s/%s", how.GOOS, how.GOARCH), true
	}
	var tags []string
	satisfied := func(ignore bool) bool {
		return expr.Eval(func(tag string) bool { return ignore && tag == "ignore" || tag == how.GOOS || tag == how.GOARCH })
	}
	if satisfied(true) && !satisfied(false) {
		return "", false
	}
	// Which tag, given alone, would select the file.
	expr.Eval(func(tag string) bool {
		with := *how
		with.BuildTags = append(slices.Clone(how.BuildTags), tag)
		if match, err := with.MatchFile(filepath.Dir(file), filepath.Base(file)); err == nil && match && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
		return false
	})
	why = "it is compiled only where " + expr.String() + " holds"
	if len(tags) > 0 && !isSystem(tags[0]) {
		why += "; --tags " + tags[0] + " would do that"
	}
	return why, true
}

// isSystem reports whether a tag is one that the go command sets for an operating system, a
// processor or itself, which no flag should.
func isSystem(tag string) bool {
	if slices.Contains([]string{"unix", "cgo", "gc", "gccgo", "race", "msan", "asan", "boringcrypto"}, tag) || strings.HasPrefix(tag, "go1.") || strings.HasPrefix(tag, "goexperiment.") {
		return true
	}
	nowhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package a\n")), nil
	}}
	match, err := nowhere.MatchFile("", "a_"+tag+".go")
	return err != nil || !match
}

// constraintOf returns the go:build line of a file, nil without one.
func constraintOf(file string) constraint.Expr {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "package ") {
			return nil
		}
		if constraint.IsGoBuild(line) {
			if expr, err := constraint.Parse(line); err == nil {
				return expr
			}
		}
	}
	return nil
}
