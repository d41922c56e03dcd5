// This program fills as many bytes as its argument says. It is a program of its
// own because the race detector, with which the tests may be built, needs more
// memory than any limit worth a test.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("allocated", len(bytes.Repeat([]byte{1}, n)))
}
