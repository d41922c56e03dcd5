package action

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// outputs are the outputs of the step, by name.
type outputs map[string]string

// outputShapes are the shapes that values have. Nothing else is written: the
// file is read line by line, so that a line feed would make another output.
var outputShapes = map[string]func() *regexp.Regexp{
	"verdict":  lazyregexp.New(`^[a-z]+(-[a-z]+)*$`),
	"findings": wholeNumber, "observed": wholeNumber, "reached": wholeNumber, "forced": wholeNumber, "accepted": wholeNumber,
	"broken": wholeNumber,
	"report": onePath, "stream": onePath,
	"comment-url": webAddress, "check-url": webAddress,
}

var (
	wholeNumber = lazyregexp.New(`^[0-9]{1,9}$`)
	onePath     = lazyregexp.New(`^[^\x00-\x1f\x7f]+$`)
	webAddress  = lazyregexp.New(`^https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%\[\]-]+$`)
)

// count puts in what a stream holds. Findings that belong together count once.
func (o outputs) count(s *event.Stream) {
	o["verdict"] = string(s.Verdict())
	seen := map[string]map[string]bool{}
	for _, name := range []string{"findings", "observed", "reached", "forced", "accepted"} {
		seen[name] = map[string]bool{}
	}
	for _, f := range present.Voices(s) {
		seen["findings"][f.Cluster] = true
		if rung := seen[string(f.Strength())]; rung != nil {
			rung[f.Cluster] = true
		}
	}
	for _, f := range s.Findings {
		if f.Accepted != nil {
			seen["accepted"][f.Cluster] = true
		}
	}
	broken := 0
	for _, r := range s.Relations {
		if r.State == event.Broken {
			broken++
		}
	}
	o["broken"] = fmt.Sprint(broken)
	for name, clusters := range seen {
		o[name] = fmt.Sprint(len(clusters))
	}
}

// write appends to the file that the runner reads. No file is no error: the
// step may run outside of a workflow.
func (o outputs) write(file string) error {
	if file == "" {
		return nil
	}
	var b strings.Builder
	for _, name := range []string{"verdict", "findings", "observed", "reached", "forced", "accepted", "broken", "report", "stream", "comment-url", "check-url"} {
		value := o[name]
		if value == "" {
			continue
		}
		if !outputShapes[name]().MatchString(value) || strings.ContainsFunc(value, unicode.IsControl) {
			return fmt.Errorf("the output %s would be %.80q, which is not of its shape; none was written", name, value)
		}
		fmt.Fprintf(&b, "%s=%s\n", name, value)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing the outputs: %w", err)
	}
	_, err = f.WriteString(b.String())
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
