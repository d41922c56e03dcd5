package ison

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

// circumstances are what figures depend on besides the code.
func circumstances(f *figure.Set, goversion string, o options, args []string) {
	f.Text("ison.date", time.Now().UTC().Format(time.RFC3339))
	f.Text("ison.cpu", figure.CPU())
	f.Count("ison.cores", runtime.NumCPU())
	f.Text("ison.kernel", figure.Kernel())
	f.Text("ison.go", goversion)
	f.Text("ison.seed", strconv.FormatUint(o.seed, 10))
	f.Count("ison.mutants_per_subject", o.mutants)
	f.Text("ison.subjects", strings.Join(o.subjects, ","))
	f.Text("ison.command", strings.Join(append([]string{"go run ./internal/evaluate ison"}, args...), " "))
}
