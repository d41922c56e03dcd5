package mutant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/load"
)

// Selection says which mutants to make.
type Selection struct {
	Limit int    // most mutants; 0 means 200, the paper's number
	Seed  uint64 // of the shuffle
}

// A Set is the mutants chosen for one tree.
type Set struct {
	Seed       uint64
	Mutants    []Mutant // ordered by place; IDs are 1, 2, …
	Candidates int      // from which they were drawn
	Rejected   int      // drawn, but do not compile
}

// Make chooses mutants of the tree's non-test code. The same tree and
// selection give the same mutants.
func Make(ctx context.Context, t *load.Tree, sel Selection) (*Set, error) {
	if sel.Limit == 0 {
		sel.Limit = 200
	}
	all, sources, err := find(t)
	if err != nil {
		return nil, err
	}
	set := &Set{Seed: sel.Seed, Candidates: len(all)}
	rand.New(rand.NewPCG(sel.Seed, sel.Seed)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var chosen []candidate
	for _, c := range all {
		if len(chosen) == sel.Limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if failures := check(t, c.pkg, map[string][]byte{c.File: Apply(sources[c.File], c.Mutant)}); len(failures) > 0 {
			set.Rejected++
			continue
		}
		chosen = append(chosen, c)
	}
	slices.SortStableFunc(chosen, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.End, b.End), cmp.Compare(a.Replacement, b.Replacement))
	})
	for i := range chosen {
		chosen[i].ID = i + 1
	}
	if err := markPlain(t, chosen, sources); err != nil {
		return nil, err
	}
	for _, c := range chosen {
		set.Mutants = append(set.Mutants, c.Mutant)
	}
	return set, nil
}

// markPlain marks the mutants with which the schemata do not type-check.
func markPlain(t *load.Tree, chosen []candidate, sources map[string][]byte) error {
	for {
		var fit []candidate
		for _, c := range chosen {
			if !c.Plain {
				fit = append(fit, c)
			}
		}
		prog := write(t, fit, sources)
		unfit := slices.Clone(prog.unfit)
		if len(unfit) == 0 {
			for _, pkg := range t.Packages {
				if pkg.Code == nil {
					continue
				}
				for _, f := range check(t, pkg, prog.checkable) {
					ids := prog.blame(f.file, f.offset)
					if ids == nil {
						return fmt.Errorf("schemata of %s do not type-check at a place that holds no mutant: %s", pkg.Path, f.message)
					}
					unfit = append(unfit, ids...)
				}
			}
		}
		if len(unfit) == 0 {
			return nil
		}
		for i := range chosen {
			if slices.Contains(unfit, chosen[i].ID) {
				chosen[i].Plain = true
			}
		}
	}
}

// A failure is an error of the type checker.
type failure struct {
	file    string // relative to the tree's root
	offset  int
	message string
}

// check type-checks a package with some files replaced, and files of its
// directory added, against the loaded export data.
func check(t *load.Tree, pkg *load.Package, replaced map[string][]byte) []failure {
	// Positions of new files must not collide with those of the loaded ones.
	fset := token.NewFileSet()
	fset.AddFile("", 1, t.Fset.Base())
	var files []*ast.File
	var out []failure
	fail := func(pos token.Position, message string) {
		out = append(out, failure{pos.Filename, pos.Offset, message})
	}
	parse := func(name string, src []byte) {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			fail(token.Position{Filename: name}, err.Error())
			return
		}
		files = append(files, f)
	}
	own := map[string]bool{}
	for _, f := range pkg.Code.Syntax {
		name := t.Rel(t.Fset.File(f.FileStart).Name())
		own[name] = true
		if src, ok := replaced[name]; ok {
			parse(name, src)
		} else {
			files = append(files, f)
		}
	}
	for _, name := range generatedIn(t, pkg) {
		if src, ok := replaced[name]; ok && !own[name] {
			parse(name, src)
		}
	}
	if len(out) > 0 {
		return out
	}
	conf := types.Config{
		Importer: Importer(pkg),
		Sizes:    pkg.Code.TypesSizes,
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				// The position is of a new file, or irrelevant.
				fail(fset.PositionFor(e.Pos, false), e.Msg)
			}
		},
	}
	if t.GoVersion != "" {
		conf.GoVersion = "go" + t.GoVersion
	}
	_, _ = conf.Check(pkg.Path, fset, files, nil) // errors are collected above
	return out
}

// Importer gives what the loaded package imports, and nothing else.
func Importer(pkg *load.Package) types.Importer { return imported{pkg.Code.Types.Imports()} }

type imported struct{ packages []*types.Package }

func (i imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range i.packages {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("package %s is not imported by the original", path)
}
