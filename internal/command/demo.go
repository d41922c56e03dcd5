package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/isodelta/isodelta/internal/demo"
	"github.com/isodelta/isodelta/internal/scratch"
)

// runDemo builds the demo repository and runs the main job on it.
func runDemo(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta demo")
	keep := ""
	f.set.StringVar(&keep, "keep", "", "")
	rest, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usageError{errors.New("demo takes no revisions: it compares the two commits of its own repository")}
	}
	dir := keep
	if dir == "" {
		folder, err := scratch.Make("")
		if err != nil {
			return 0, err
		}
		defer folder.Close()
		dir = filepath.Join(folder.Path(), "figure1")
	}
	if err := demo.Build(dir); err != nil {
		return 0, err
	}
	f.dir = dir
	if keep == "" {
		f.whole = "isodelta demo --verbose"
	}
	fmt.Fprintf(streams.Out, "A small repository, Figure 1 of the ISON paper in Go. Its tests pass on both\ncommits and see the same values:\n\n  -	return []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}\n  +	return []int{1, 2, 3, 5, 5, 6, 7, 8, 9, 10}\n\nand a fare, rewritten with max, which was the same in both directions; a fee behind a\ncode that no test gives; and a postage, written more simply, that is the same.\n\n")
	code, err := f.compare(ctx, []string{"HEAD~1", "HEAD"}, streams)
	if err == nil && keep == "" {
		fmt.Fprintf(streams.Out, "\nTo try replay yourself: isodelta demo --keep DIR, then in DIR: isodelta replay ID\n")
	}
	return code, err
}
