package probe

import "testing"

func TestExitStatus(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]int{"os.Exit(0)": 0, "os.Exit(12)": 12, "os.Exit()": -1, "os.Exit(": -1, "os.Exit": -1, "": -1, "os.Exit(x)": -1, "no word": -1, "os.Exit(1": -1} {
		got, ok := ExitStatus(message)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", message, got, want)
		}
	}
	if got, ok := ExitStatus(exited(7).Error()); got != 7 || !ok {
		t.Errorf("%d, %t", got, ok)
	}
}
