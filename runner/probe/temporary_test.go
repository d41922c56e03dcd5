package probe

import "testing"

// A path into a process's folder for temporary files is the same on both versions, however it is written.
func TestTemporaryFolderIsNoDifference(t *testing.T) {
	dir, name := tmpdir, tmpname
	defer func() { tmpdir, tmpname = dir, name }()
	texts := func(number string) (out []string) {
		tmpdir = "/tmp/isodelta-1/run/p" + number
		tmpname = ownName(tmpdir)
		for _, s := range []string{tmpdir + "/files/001", "~1run~1p" + number + "~1files", "p" + number, "run%2Fp" + number, "…/p" + number + "-own/a.go"} {
			out = append(out, normal(s))
		}
		return out
	}
	base := texts("00000127")
	for i, s := range texts("00000128") {
		if s != base[i] {
			t.Errorf("%s and %s", base[i], s)
		}
	}
	for dir, want := range map[string]string{"/tmp": "", "/home/user/temporary": "", "/tmp/isodelta-1/run/p00000128": "p00000128", "p1": "", "": ""} {
		if got := ownName(dir); got != want {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
	}
}
