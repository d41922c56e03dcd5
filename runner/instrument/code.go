package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/probe"
)

// Code rewrites the non-test files of all packages of a tree. Conditions and
// arms are numbered over the whole tree, by package, file and offset; those of
// Config.Last come after all others, so that the others have the same numbers, and
// the same text, on both versions and on the next push: what the go command has
// compiled once it finds again. The error is that of reading a file.
func Code(t *load.Tree, cfg Config) (*Program, error) { return code(t, cfg, fromDisk) }

func code(t *load.Tree, cfg Config, get read) (*Program, error) {
	prog := &Program{Files: map[string][]byte{}}
	unhooked := maps.Clone(cfg.Hooks)
	for _, p := range cfg.inOrder(t.Packages) {
		if p.Code == nil {
			continue
		}
		files, err := sources(t, p.Code, get, func(rel string) bool { return !isTestFile(rel) })
		if err != nil {
			return nil, fmt.Errorf("read sources of %s: %w", p.Path, err)
		}
		prog.skipCgo(t, p.Code)
		cfg := cfg
		cfg.Operands = cfg.Operands && (cfg.OperandsIn == nil || cfg.OperandsIn[p.Path])
		w := &packageCode{
			prog: prog, cfg: cfg, path: p.Path, info: p.Code.TypesInfo,
			names: freshNames(files), ordinals: map[[2]string]int{},
			old: oldLanguage(t), unhooked: unhooked,
		}
		for _, f := range files {
			if cfg.excluded(f.rel) {
				prog.skip(f, token.NoPos, "excluded by configuration")
				prog.unhookAll(unhooked, func(at load.Place) bool { return at.File == f.rel }, "in a file that is excluded by configuration")
				continue
			}
			w.rewrite(f)
		}
	}
	sortSkips(prog.Skipped)
	prog.unhookAll(unhooked, func(load.Place) bool { return true }, "not in a file that can be rewritten")
	sortUnhooked(prog.Unhooked)
	return prog, nil
}

func (p *Program) skip(f *file, at token.Pos, reason string) {
	line := 1
	if at.IsValid() {
		line = f.line(at)
	}
	p.Skipped = append(p.Skipped, Skip{f.rel, line, reason})
}

// skipCgo lists the files that import "C": the compiler is given a translation
// of them, and so are we.
func (p *Program) skipCgo(t *load.Tree, pkg *packages.Package) {
	for _, name := range pkg.GoFiles {
		if !slices.Contains(pkg.CompiledGoFiles, name) && inside(t.Root, name) {
			p.Skipped = append(p.Skipped, Skip{t.Rel(name), 1, `imports "C"`})
		}
	}
}

// oldLanguage reports whether the module's language has no type parameters.
func oldLanguage(t *load.Tree) bool {
	return t.GoVersion == "" || version.Compare("go"+t.GoVersion, "go1.18") < 0
}

type packageCode struct {
	prog     *Program
	cfg      Config
	path     string
	info     *types.Info
	names    names
	ordinals map[[2]string]int // by function and text
	old      bool
	unhooked map[load.Place]int // functions to hook that have not been met
}

// fileCode collects what is found in one file. Nodes are met from the outside
// in, which is the order in which edits must be added; numbers are given by
// offset afterwards.
type fileCode struct {
	*packageCode
	*file
	generated  bool
	function   string
	conditions []*foundCondition
	arms       []*foundArm
	handled    map[ast.Node]bool // && and || that are done; leaves that must be left alone
	wrappings  []wrapping
	around     []ast.Node               // what the node under visit lies in, itself included, the outermost first
	tolls      map[*ast.BlockStmt]*toll // by the body of the function; those of declarations by nil
}

type foundCondition struct {
	Condition
	call    string  // such as probe.B
	tag     caseTag // compared with the expression, for a case of a tag switch
	at, end int     // of the expression
}

type foundArm struct {
	Arm
	at int // where to insert
}

func (w *packageCode) rewrite(f *file) {
	c := &fileCode{
		packageCode: w, file: f,
		generated: ast.IsGenerated(f.syntax), handled: map[ast.Node]bool{}, tolls: map[*ast.BlockStmt]*toll{},
	}
	leave := nosplit(f.syntax)
	for _, d := range f.syntax.Decls {
		c.function = "init"
		if fn, ok := d.(*ast.FuncDecl); ok {
			if fn.Body == nil {
				c.unhook(fn, "has no body")
				continue
			}
			c.function = functionName(fn)
			if leave[fn] {
				w.prog.skip(f, fn.Pos(), c.function+" is marked go:nosplit")
				c.unhook(fn, "is marked go:nosplit")
				continue
			}
			if k, ok := w.cfg.Entries[f.place(fn.Pos())]; ok {
				f.edits.open(f.offset(fn.Body.Lbrace)+1, w.names.probe+".F("+strconv.Itoa(k)+");")
				w.prog.Marked = append(w.prog.Marked, k)
			}
			if isInit(fn) {
				f.leaveInit(fn, w.info, w.names)
			}
			c.hook(fn)
		}
		ast.Inspect(d, c.visit)
	}
	c.number()
	if f.edits.empty() {
		return
	}
	f.importProbe(w.names)
	w.prog.Files[f.rel] = f.edits.apply(f.src)
}

// number returns indices and ordinals in the order of the source, and writes the
// edits in the order of discovery.
func (c *fileCode) number() {
	found := slices.Clone(c.conditions)
	slices.SortStableFunc(found, func(a, b *foundCondition) int { return cmp.Compare(a.at, b.at) })
	for _, x := range found {
		x.Index = len(c.prog.Conditions)
		same := [2]string{x.Function, x.Text}
		x.Ordinal = c.ordinals[same]
		c.ordinals[same]++
		x.ID = x.Package + "." + x.Function + "#" + x.Text + "#" + strconv.Itoa(x.Ordinal)
		c.prog.Conditions = append(c.prog.Conditions, x.Condition)
	}
	arms := slices.Clone(c.arms)
	slices.SortStableFunc(arms, func(a, b *foundArm) int { return cmp.Compare(a.at, b.at) })
	for _, x := range arms {
		x.Index = len(c.prog.Arms)
		c.prog.Arms = append(c.prog.Arms, x.Arm)
		c.edits.open(x.at, c.names.probe+".A("+strconv.Itoa(x.Index)+");")
	}
	var conditions []wrapping
	for _, x := range c.conditions {
		open, close := x.call+"("+strconv.Itoa(x.Index)+", ", ")"
		switch {
		case x.tag.comparer != "":
			open, close = open+c.names.probe+"."+x.tag.comparer+"("+strconv.Itoa(probe.Equal)+", "+x.tag.name+", ", "))"
		case x.tag.name != "":
			open, close = open+x.tag.name+" == (", "))"
		}
		conditions = append(conditions, wrapping{at: x.at, end: x.end, open: open, close: close})
	}
	// A condition goes around the comparison that it is.
	c.wrappings = append(conditions, c.wrappings...)
	c.writeWrappings()
}
