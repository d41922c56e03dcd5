package replay

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// circumstances are what figures depend on besides the code.
func circumstances(f *figures, goversion string, o options, args []string) {
	f.text("replay.date", time.Now().UTC().Format(time.RFC3339))
	f.text("replay.cpu", cpuModel())
	f.count("replay.cores", runtime.NumCPU())
	f.text("replay.kernel", kernel())
	f.text("replay.go", goversion)
	f.text("replay.seed", strconv.FormatUint(o.seed, 10))
	f.count("replay.mutants_per_subject", o.mutants)
	f.text("replay.subjects", strings.Join(o.subjects, ","))
	f.text("replay.command", strings.Join(append([]string{"go run ./internal/evaluate replay"}, args...), " "))
}

func cpuModel() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer func() { _ = file.Close() }()
	for in := bufio.NewScanner(file); in.Scan(); {
		if name, value, ok := strings.Cut(in.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return value
		}
	}
	return runtime.GOARCH
}

func kernel() string {
	out, err := exec.Command("uname", "-sr").Output()
	if err != nil {
		return runtime.GOOS
	}
	return string(out)
}
