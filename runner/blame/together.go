package blame

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// maxVariants bounds the units of functions, with their parts, in one binary.
	maxVariants = 60
	// maxMended bounds how often a binary is built again without what does not build.
	maxMended = 3
)

// together tries the units of functions, and their parts, in one binary for the tests of each package, in which
// an environment variable chooses the unit: mutant schemata (R. Untch, A. Offutt, M. J. Harrold, "Mutation Analysis Using
// Mutant Schemata", ISSTA 1993). It returns the units that are in none, or do not build there.
func (w *work) together(ctx context.Context) ([]unit, error) {
	tried := maps.Clone(w.tried)
	open := slices.DeleteFunc(slices.Clone(w.tests), func(t Test) bool { return w.asked[t.ID] })
	for pkg, tests := range byPackage(open) {
		built, err := w.choosing(ctx, pkg, tests)
		if err != nil {
			return nil, err
		}
		for _, v := range built {
			tried[v.at()] = tried[v.at()] || !v.late
		}
	}
	return slices.DeleteFunc(w.ordered(), func(u unit) bool { return tried[u.at()] }), nil
}

// code is what stands in for head's code, by slash-separated path in the tree, or beside it.
type code struct {
	files    map[string][]byte
	variants []variant
}

// schemata makes the functions choose that the change edits, and puts variables back, but for files that are dropped.
func (s *Stage) schemata(dropped map[string]bool) code {
	c := code{files: map[string][]byte{}}
	number := 1
	for i, f := range s.files {
		made, err := schemataOf(f, number, dropped, s.nameOf)
		if err != nil || made.next > maxVariants {
			continue
		}
		number = made.next
		if len(made.variants) == 0 {
			continue
		}
		c.variants = append(c.variants, made.variants...)
		dir := path.Dir(f.change.Path)
		pkg, has := s.declares(s.Builder.Versions[version.Head].Dir(dir))
		c.files[f.change.Path] = []byte(made.text)
		c.files[path.Join(dir, "isodelta_choice.go")] = []byte(choice(pkg))
		for _, v := range made.variants {
			c.files[path.Join(dir, v.file())] = []byte(v.text)
		}
		gone, err := goneOf(f.text(), has, s.nameOf)
		if file := fmt.Sprintf("isodelta_gone%d.go", i); err == nil && gone != "" && !dropped[file] {
			c.files[path.Join(dir, file)] = []byte(gone)
		}
	}
	return c
}

// declares returns the name of the package in a folder of head, and what tells whether it declares a name.
func (s *Stage) declares(dir string) (pkg string, has func(string) bool) {
	names := map[string]bool{}
	for _, p := range s.Builder.Versions[version.Head].Tree.Packages {
		if p.Dir != dir || p.Code == nil {
			continue
		}
		pkg = p.Code.Name
		for _, file := range p.Code.Syntax {
			for _, d := range file.Decls {
				for _, n := range namesOf(d) {
					names[n] = true
				}
			}
		}
	}
	return pkg, func(name string) bool { return names[name] }
}

// choosing runs the tests of a package without each unit in turn, and returns the variants that were there.
func (w *work) choosing(ctx context.Context, pkg string, tests []Test) ([]variant, error) {
	var binary string
	variants, err := w.mended(func(c code) (err error) {
		head := w.Builder.Versions[version.Head]
		files := map[string][]byte{}
		for name, text := range c.files {
			files[head.Dir(name)] = text
		}
		for _, t := range tests {
			files[filepath.Join(head.PackageDir(pkg), t.File)] = t.Text
		}
		binary, err = w.Builder.Altered(ctx, version.Head, pkg, files)
		return err
	})
	if err != nil || len(variants) == 0 {
		return nil, err
	}
	target := w.target(binary, pkg)
	telling := map[string]bool{} // on head as a whole
	for _, t := range tests {
		target.Test = t.Name
		passes, err := w.passes(ctx, target, 1)
		if err != nil {
			return nil, err
		}
		telling[t.ID] = !passes
	}
	for _, v := range variants {
		target.Env = []string{variable + "=" + strconv.Itoa(v.number)}
		concerned := slices.DeleteFunc(w.concerned(v.unit), func(t Test) bool { return t.Package != pkg || !telling[t.ID] })
		found, err := w.blame(ctx, v.unit, target, concerned)
		if err != nil {
			return nil, err
		}
		w.keep(found)
	}
	return variants, nil
}

// mended builds code that chooses, and leaves out what does not build. It returns the variants that are there; none
// where nothing is left.
func (s *Stage) mended(build func(code) error) ([]variant, error) {
	dropped := map[string]bool{}
	for range maxMended {
		c := s.schemata(dropped)
		if len(c.variants) == 0 {
			break
		}
		err := build(c)
		var broken *execute.BuildError
		if !errors.As(err, &broken) {
			return c.variants, err
		}
		found := false
		for _, at := range broken.At {
			if file := filepath.Base(at.File); generated().MatchString(file) && !dropped[file] {
				dropped[file], found = true, true
			}
		}
		if !found {
			break
		}
	}
	return nil, nil
}

// generated matches the names of the files that are written.
var generated = lazyregexp.New(`^0?isodelta_(unit|gone)[0-9]+\.go$`)
