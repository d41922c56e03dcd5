//go:build go1.21

package harness

import (
	"os"
	"strconv"
	"strings"
)

// unrouted returns how often something was to be sent to another machine to which there is no way, as there is to none from a network of
// the process's own: the system counts that. It is always 0 on systems that do not tell.
func unrouted() (n uint64) {
	if text, err := os.ReadFile("/proc/self/net/snmp"); err == nil {
		n += countedIPv4(string(text))
	}
	if text, err := os.ReadFile("/proc/self/net/snmp6"); err == nil {
		n += countedIPv6(string(text))
	}
	return n
}

// countedIPv4 reads the count out of a table of which each row has a row of names above it.
func countedIPv4(table string) uint64 {
	lines := strings.Split(table, "\n")
	for i := 0; i+1 < len(lines); i++ {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		if len(names) == 0 || names[0] != "Ip:" || len(names) != len(values) {
			continue
		}
		for k, name := range names {
			if name == "OutNoRoutes" {
				n, _ := strconv.ParseUint(values[k], 10, 64)
				return n
			}
		}
	}
	return 0
}

// countedIPv6 reads the count out of a list of names and values.
func countedIPv6(list string) uint64 {
	for _, line := range strings.Split(list, "\n") {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "Ip6OutNoRoutes" {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return n
		}
	}
	return 0
}
