package bot

import (
	"fmt"
	"strings"

	"github.com/isodelta/isodelta/diff/acceptance"
)

// Command is what somebody asked for in a comment on a pull request.
type Command struct {
	Verb   string // Accept or Rerun
	ID     string // of what is accepted
	Reason string
}

// Verbs of a Command.
const (
	Accept = "accept"
	Rerun  = "rerun"
)

const commandName = "/isodelta"

// ParseCommand reads the first line of a comment. ok is false where it is no
// command; an error says what is wrong with one.
func ParseCommand(body string) (cmd Command, ok bool, err error) {
	line, _, _ := strings.Cut(body, "\n")
	rest, ok := strings.CutPrefix(line, commandName)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], " \t\r") {
		return Command{}, false, nil
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return Command{}, true, fmt.Errorf("%s does nothing by itself; write %s accept ID REASON, or %s rerun", commandName, commandName, commandName)
	}
	switch words[0] {
	case Rerun:
		return Command{Verb: Rerun}, true, nil
	case Accept:
		cmd, err := parseAccept(words[1:])
		return cmd, true, err
	}
	return Command{}, true, fmt.Errorf("%s knows no %.40q; write %s accept ID REASON, or %s rerun", commandName, words[0], commandName, commandName)
}

func parseAccept(words []string) (Command, error) {
	if len(words) == 0 {
		return Command{}, fmt.Errorf("%s accept names nothing; write %s accept ID REASON", commandName, commandName)
	}
	id := strings.Trim(words[0], "`") // the report shows it as code
	if err := acceptance.CheckCounts(id); err != nil {
		return Command{}, fmt.Errorf("%w; copy the command that the report shows", err)
	}
	reason := strings.Join(words[1:], " ")
	if err := acceptance.CheckText(reason); err != nil {
		return Command{Verb: Accept, ID: id}, fmt.Errorf("the reason for accepting %s cannot be used: %w", id, err)
	}
	return Command{Accept, id, reason}, nil
}
