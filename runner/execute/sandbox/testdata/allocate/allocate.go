// This program fills as many bytes as its argument says. It is a program of its
// own because the race detector, with which the tests may be built, needs more
// memory than any limit worth a test. It takes them in pieces because one large
// piece may pass the limit, see sandbox.Policy.
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
)

const piece = 64 << 20

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	var pieces [][]byte
	for range n / piece {
		pieces = append(pieces, bytes.Repeat([]byte{1}, piece))
	}
	fmt.Println("allocated", len(pieces)*piece)
	runtime.KeepAlive(pieces)
}
