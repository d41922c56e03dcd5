package house

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
)

// imports is what a package imports.
type imports struct{ code, tests []string }

// TestDependencies: docs/dependencies.md names every direct dependency, and says of
// each which packages use it: in code, or where neither command is built with it,
// in code and tests.
func TestDependencies(t *testing.T) {
	t.Parallel()
	table, testsOnly := dependencyTable(t)
	packages, commands := importsOf(t), commandPackages(t)
	for _, module := range direct(t) {
		got, ok := table[module]
		if !ok {
			t.Errorf("docs/dependencies.md does not name %s", module)
			continue
		}
		delete(table, module)
		shipped := false
		var code, all []string
		for pkg, of := range packages {
			inCode, inTests := uses(module, of.code), uses(module, of.tests)
			shipped = shipped || inCode && commands[pkg]
			if inCode {
				code = append(code, pkg)
			}
			if inCode || inTests {
				all = append(all, pkg)
			}
		}
		if shipped == testsOnly[module] {
			t.Errorf("%s: part of a command %t, under \"tests only\" %t", module, shipped, testsOnly[module])
		}
		want := written(code)
		if !shipped && len(all) > fewTests {
			want = "several"
		} else if !shipped {
			want = written(all)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-go list +docs/dependencies.md):\n%s", module, diff)
		}
	}
	for module := range table {
		t.Errorf("docs/dependencies.md names %s, which go.mod does not require", module)
	}
}

// fewTests is how many users of what only tests need are named.
const fewTests = 4

// written is how the table names users, sorted. What nothing imports is a tool.
func written(users []string) string {
	if len(users) == 0 {
		return "`.ci/run`"
	}
	slices.Sort(users)
	return "`" + strings.Join(users, "`, `") + "`"
}

// dependencyTable reads the table: who uses each module, and which stand under
// "tests only".
func dependencyTable(t *testing.T) (users map[string]string, testsOnly map[string]bool) {
	t.Helper()
	users, testsOnly = map[string]string{}, map[string]bool{}
	below := false
	for line := range strings.Lines(read(t, "docs/dependencies.md")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		below = below || strings.Contains(cells[1], "**tests only**")
		for module := range strings.SplitSeq(cells[1], ",") {
			if module = strings.TrimSpace(module); strings.Contains(module, ".") {
				users[module], testsOnly[module] = strings.TrimSpace(cells[2]), below
			}
		}
	}
	return users, testsOnly
}

// direct lists the modules that go.mod requires directly.
func direct(t *testing.T) []string {
	t.Helper()
	file, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range file.Require {
		isTool := slices.ContainsFunc(file.Tool, func(tool *modfile.Tool) bool { return uses(r.Mod.Path, []string{tool.Path}) })
		if !r.Indirect || isTool {
			list = append(list, r.Mod.Path)
		}
	}
	return list
}

// uses reports whether one of the packages belongs to a module.
func uses(module string, packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return p == module || strings.HasPrefix(p, module+"/") })
}

// importsOf asks go list what the packages of this module import.
func importsOf(t *testing.T) map[string]imports {
	t.Helper()
	all := map[string]imports{}
	for _, line := range list(t, "-f", `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`, "./...") {
		cells := strings.Split(line, "|")
		all[strings.TrimPrefix(strings.TrimPrefix(cells[0], modulePath), "/")] = imports{strings.Fields(cells[1]), strings.Fields(cells[2])}
	}
	return all
}

// commandPackages are the packages of this module that isodelta or the evaluation
// is made of.
func commandPackages(t *testing.T) map[string]bool {
	t.Helper()
	within := map[string]bool{}
	for _, p := range list(t, "-deps", ".", "./internal/evaluate") {
		if p == modulePath || strings.HasPrefix(p, modulePath+"/") {
			within[strings.TrimPrefix(strings.TrimPrefix(p, modulePath), "/")] = true
		}
	}
	return within
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("go list: %w", err))
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
