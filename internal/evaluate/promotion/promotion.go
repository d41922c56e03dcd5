package promotion

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/report/event"
)

// counts are what one comparison, or all, came to.
type counts struct {
	goals  map[event.GoalState]int
	shown  int // forced findings that an input shows, too
	folded int // forced findings that inputs speak against
	left   map[event.GoalState]int
	untold int // forced findings without a fate
}

func newCounts() counts {
	return counts{goals: map[event.GoalState]int{}, left: map[event.GoalState]int{}}
}

// Run runs the evaluation and prints a table and one name=value line a figure.
func Run(_ context.Context, args []string, out, progress io.Writer) error {
	fs := options.New("promotion", progress)
	list := fs.String("streams", "", "streams of comparisons, `files` separated by commas; a * stands for any name")
	if err := fs.Parse(args); err != nil {
		return err
	}
	files, err := match(*list)
	if err != nil {
		return err
	}
	rows := [][]string{figure.Row("comparison", "branches", "taken", "not found", "not tried", "forced", "shown", "folded", "left: taken", "not found", "not tried")}
	all := newCounts()
	for _, file := range files {
		s, err := read(file)
		if err != nil {
			return err
		}
		c := count(s)
		rows = append(rows, c.row(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))))
		all.add(c)
	}
	if err := figure.Table(out, "Inputs for branches", append(rows, all.row("all"))); err != nil {
		return err
	}
	var f figure.Set
	f.Count("promotion.comparisons", len(files))
	f.Number("promotion.goals.taken", figure.Proportion(all.goals[event.GoalTaken], total(all.goals)))
	f.Count("promotion.forced.untold", all.untold)
	return figure.Print(out, f)
}

// match returns the files that a list names.
func match(list string) ([]string, error) {
	var files []string
	for _, pattern := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, options.Wrong("-streams: %q is no pattern: %v", pattern, err)
		}
		if len(found) == 0 {
			return nil, options.Wrong("-streams: there is no file %s", pattern)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, options.Wrong("-streams names no file: write some with isodelta --output json=FILE")
	}
	return files, nil
}

func read(file string) (*event.Stream, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := event.ReadStream(f, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if s.Summary == nil {
		return nil, fmt.Errorf("%s: the comparison was cut off: make it again", file)
	}
	return s, nil
}

func count(s *event.Stream) counts {
	c := newCounts()
	for _, g := range s.Summary.Goals {
		c.goals[g.State]++
	}
	c.folded = len(s.Summary.Folded)
	for _, f := range s.Findings {
		c.shown += len(f.Merged)
		switch {
		case f.Rung != event.Forced:
		case f.Fate == nil:
			c.untold++
		default:
			c.left[f.Fate.State]++
		}
	}
	return c
}

func (c *counts) add(o counts) {
	for state, n := range o.goals {
		c.goals[state] += n
	}
	for state, n := range o.left {
		c.left[state] += n
	}
	c.shown += o.shown
	c.folded += o.folded
	c.untold += o.untold
}

func (c counts) row(name string) []string {
	return figure.Row(name, total(c.goals), c.goals[event.GoalTaken], c.goals[event.GoalNotFound], c.goals[event.GoalNotTried],
		c.shown+c.folded+total(c.left)+c.untold, c.shown, c.folded, c.left[event.GoalTaken], c.left[event.GoalNotFound], c.left[event.GoalNotTried])
}

func total(of map[event.GoalState]int) int {
	n := 0
	for _, k := range of {
		n += k
	}
	return n
}
