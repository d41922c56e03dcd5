package faulty

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// errHang says that a child did not answer in time.
var errHang = errors.New("no answer in time")

// ask starts a program with a mutant, 0 for none, and gives its answer. A
// mutant that ends its process in another way than by a panic that a group
// catches is an error.
func ask(ctx context.Context, binary string, id int, q measure.Request, limit time.Duration) (measure.Response, error) {
	var a measure.Response
	question, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(timed, binary)
	cmd.Env = append(os.Environ(), mutant.Variable+"="+strconv.Itoa(id), "GOMAXPROCS=1")
	cmd.WaitDelay = time.Second
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(question), &out, &said
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case timed.Err() != nil || cmd.ProcessState.ExitCode() == measure.HangStatus:
		return a, errHang
	case err != nil:
		return a, fmt.Errorf("%s with mutant %d: %w: %.500s", q.Subject, id, err, said.Bytes())
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		return a, fmt.Errorf("%s with mutant %d: answer: %w", q.Subject, id, err)
	}
	return a, nil
}
