package reach

import "testing"

// What a process found in its folder for temporary files is there for this run alone, so that no test to paste may name it.
func TestNamesRun(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`slug.Unpack(buf, "/tmp/isodelta-2/run/p00000049/slug2065550767")`: true,
		`Open("C:\\Temp\\isodelta-41\\run\\p1\\x")`:                        true,
		`Open("/home/a/isodelta/run/x")`:                                   false,
		`Unpack(buf, folder(t, "a", ""))`:                                  false,
		`TestIsodeltaUnpack_a7f382b1: isodelta-2`:                          false,
	} {
		if got := namesRun(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
