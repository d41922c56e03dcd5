package action

import (
	"fmt"
	"os"
)

// maxSummary is what GitHub takes as the summary of one step, in bytes. A
// larger one is dropped whole, so a little is left free.
const maxSummary = 1<<20 - 4<<10

// AppendSummary appends to the step's summary what render makes of the size, in
// bytes, that is left. Other commands of the step may have written before.
func AppendSummary(file string, render func(limit int) (string, error)) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("the step summary: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("the step summary: %w", err)
	}
	before := ""
	if info.Size() > 0 {
		before = "\n\n"
	}
	left := maxSummary - int(min(info.Size(), maxSummary)) - len(before)
	text, err := render(left)
	if err != nil {
		return fmt.Errorf("the step summary: %w", err)
	}
	if len(text) > left {
		if text = "*The report does not fit into this summary; the job's artifact has it.*\n"; len(text) > left {
			return fmt.Errorf("the step summary is full: %d bytes were written by something else", info.Size())
		}
	}
	if _, err := f.WriteString(before + text); err != nil {
		return fmt.Errorf("the step summary: %w", err)
	}
	return nil
}
