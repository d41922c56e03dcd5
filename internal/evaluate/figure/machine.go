package figure

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// CPU is the model of the processor.
func CPU() string {
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

// Kernel is the operating system with its version.
func Kernel() string {
	out, err := exec.Command("uname", "-sr").Output()
	if err != nil {
		return runtime.GOOS
	}
	return string(out)
}
