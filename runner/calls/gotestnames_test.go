package calls

import "testing"

// A text that is called as a helper is stays what it is: a test that wants it would want another one.
func TestRenamed(t *testing.T) {
	t.Parallel()
	names := map[string]string{"folder": "folder_1a", "stub": "stub_1a"}
	for src, want := range map[string]string{
		`Kind(folder(t, "folder")) // is a folder`:         `Kind(folder_1a(t, "folder")) // is a folder`,
		"const want = `folder`":                            "const want = `folder`",
		"x.folder = folder":                                "x.folder = folder_1a",
		"// folder makes a folder.\nfunc folder() stub {}": "// folder_1a makes a folder.\nfunc folder_1a() stub_1a {}",
		"folders(stub{})":                                  "folders(stub_1a{})",
		"":                                                 "",
	} {
		if got := renamed(src, names); got != want {
			t.Errorf("%s\n%s\nwant\n%s", src, got, want)
		}
	}
}
