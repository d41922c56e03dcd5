package harness

import (
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestUnroutedIsRead(t *testing.T) {
	t.Parallel()
	const four = "Ip: Forwarding OutDiscards OutNoRoutes ReasmTimeout\nIp: 1 2 37 0\nIcmp: InMsgs\nIcmp: 4\n"
	if n := countedIPv4(four); n != 37 {
		t.Errorf("%d, want 37", n)
	}
	if n := countedIPv6("Ip6InReceives   12\nIp6OutNoRoutes   \t5\n"); n != 5 {
		t.Errorf("%d, want 5", n)
	}
	for _, odd := range []string{"", "Ip:", "Ip: OutNoRoutes\n", "Ip: OutNoRoutes\nIp: 1 2\n", "Ip6OutNoRoutes x"} {
		if countedIPv4(odd) != 0 || countedIPv6(odd) != 0 {
			t.Errorf("%q counts", odd)
		}
	}
}

// Where there is no way to another machine, the system counts that something was to be sent there.
func TestUnroutedCounts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux counts")
	}
	if routes, err := os.ReadFile("/proc/net/route"); err != nil || strings.Count(string(routes), "\n") > 1 {
		t.Skip("there is a way to other machines")
	}
	before := unrouted()
	if c, err := net.Dial("udp", "192.0.2.1:53"); err == nil {
		c.Close()
		t.Skip("there is a way to other machines")
	}
	if unrouted() == before {
		t.Error("nothing was counted")
	}
}
