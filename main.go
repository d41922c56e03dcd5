// Command isodelta compares the behaviour of two versions of a Go module.
// See README.md, or run isodelta help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/isodelta/isodelta/internal/command"
	"github.com/isodelta/isodelta/internal/withheld"
)

func main() {
	variables := withheld.Take() // starts the program anew, without them
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first interrupt what was found is printed; a second one ends
	// the program at once.
	context.AfterFunc(ctx, stop)
	code := command.Run(ctx, os.Args[1:], command.Streams{Out: os.Stdout, Err: os.Stderr, Withheld: variables})
	stop()
	os.Exit(code)
}
