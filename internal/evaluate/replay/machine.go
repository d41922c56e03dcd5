package replay

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// circumstances are what figures depend on besides the code.
func circumstances(f *figure.Set, goversion string, o options, args []string) {
	f.Text("replay.date", time.Now().UTC().Format(time.RFC3339))
	f.Text("replay.cpu", figure.CPU())
	f.Count("replay.cores", runtime.NumCPU())
	f.Text("replay.kernel", figure.Kernel())
	f.Text("replay.go", goversion)
	f.Text("replay.seed", strconv.FormatUint(o.seed, 10))
	f.Count("replay.mutants_per_subject", o.mutants)
	f.Text("replay.subjects", strings.Join(o.subjects, ","))
	f.Text("replay.command", strings.Join(append([]string{"go run ./internal/evaluate replay"}, args...), " "))
}
