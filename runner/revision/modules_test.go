package revision

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const modulesTree = `
A repository with a workspace, nested modules, and modules that the go command
passes over: in vendor, testdata, hidden and underscored folders.
-- go.mod --
module example.com/top

go 1.22.1

unknown directive
-- vendor/modules.txt --
-- vendor/example.com/v/go.mod --
module example.com/v
-- go.work --
go 1.22

use (
	.
	./tools/gen
)
-- tools/gen/go.mod --
module "example.com/top/tools/gen"
-- tools/go.mod --
module example.com/top/tools // a comment

go 1.20
-- tools/gen/testdata/go.mod --
module nothing
-- .hidden/go.mod --
module nothing
-- _old/go.mod --
module nothing
-- broken/go.mod --
module example.com/broken
require (
-- nameless/go.mod --
go 1.21
`

func TestModules(t *testing.T) {
	t.Parallel()
	got, err := Modules(unpack(t, modulesTree))
	if err != nil {
		t.Fatal(err)
	}
	want := []Module{
		{Dir: ".", Path: "example.com/top", GoVersion: "1.22.1", Workspace: true, Vendored: true},
		{Dir: "broken", Path: "example.com/broken", Err: cmpopts.AnyError},
		{Dir: "nameless", GoVersion: "1.21", Err: cmpopts.AnyError},
		{Dir: "tools", Path: "example.com/top/tools", GoVersion: "1.20"},
		{Dir: "tools/gen", Path: "example.com/top/tools/gen", Workspace: true, Vendored: true},
	}
	// A module of the workspace shares the vendor folder only if the workspace has
	// one, which is the case here: it stands beside go.work.
	if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	for prefix, dir := range map[string]string{
		".": ".", "pkg": ".", "tools": "tools", "tools/x": "tools", "tools/gen": "tools/gen", "tools/gen/deep": "tools/gen", "toolshed": ".",
	} {
		if m, ok := ModuleFor(got, prefix); !ok || m.Dir != dir {
			t.Errorf("the module of %s is %s (%v), want %s", prefix, m.Dir, ok, dir)
		}
	}
	if m, ok := ModuleFor(got[3:4], "pkg"); ok {
		t.Errorf("pkg is in no module, got %+v", m)
	}
}

func TestModulesFail(t *testing.T) {
	t.Parallel()
	if _, err := Modules(unpack(t, "-- go.work --\nuse (\n")); err == nil {
		t.Error("a broken workspace: no error")
	}
	if got, err := Modules(t.TempDir()); err != nil || len(got) != 0 {
		t.Errorf("an empty tree: %v %v", got, err)
	}
}
