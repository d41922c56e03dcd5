package automr

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// ending is how the computation of one row ended.
type ending byte

// The endings. The first three are the child's own words for them.
const (
	done ending = iota
	panicked
	hung // took more processor time than any row needs
	died // the process ended: the stack overflowed
)

// answer is what a program gave for one input.
type answer struct {
	out    []float64 // nil unless it is done
	ending ending
}

// maxEndings bounds how often a process is started again for one batch; a
// mutant that hangs on one input often hangs on many.
const maxEndings = 2

// process computes rows in a child process, which is started when it is needed
// and again after its end. It may be used by several goroutines, one after the
// other.
type process struct {
	binary  string
	program int // index in the module
	in, out int
	mutant  int // 0 is the original

	mu     sync.Mutex // guards what follows
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
}

// start starts the child.
func (p *process) start(ctx context.Context) (err error) {
	p.cmd = exec.CommandContext(ctx, p.binary)
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mutant.Variable, p.mutant), "GOMAXPROCS=2")
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return fmt.Errorf("start the program under test: %w", err)
	}
	return nil
}

// close ends the child, if there is one.
func (p *process) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
}

func (p *process) stop() {
	if p.cmd == nil {
		return
	}
	_ = p.stdin.Close() // its end
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // it was killed
	p.cmd = nil
}

// eval computes rows. After a few rows that do not end, the rest of the batch
// is taken to be like them.
func (p *process) eval(ctx context.Context, rows [][]float64) ([]answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]answer, 0, len(rows))
	for endings := 0; len(out) < len(rows); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := p.some(ctx, rows[len(out):])
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
		last := answer{ending: got[len(got)-1].ending}
		if last.ending != hung && last.ending != died {
			continue
		}
		if endings++; endings == maxEndings {
			return append(out, slices.Repeat([]answer{last}, len(rows)-len(out))...), nil
		}
	}
	return out, nil
}

// some computes at least one of the rows.
func (p *process) some(ctx context.Context, rows [][]float64) ([]answer, error) {
	if p.cmd == nil {
		if err := p.start(ctx); err != nil {
			return nil, err
		}
	}
	got, err := p.ask(rows)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		p.stop()
		return nil, ctx.Err()
	case len(rows) == 1:
		p.stop()
		return []answer{{ending: died}}, nil
	default: // it died without a word: which row it was shows when halves are tried
		p.stop()
		return p.some(ctx, rows[:(len(rows)+1)/2])
	}
	if got[len(got)-1].ending == hung {
		p.stop() // it ends itself
	}
	return got, nil
}

// ask sends rows and reads the answer.
func (p *process) ask(rows [][]float64) ([]answer, error) {
	text := binary.LittleEndian.AppendUint32(nil, uint32(p.program))
	text = binary.LittleEndian.AppendUint32(text, uint32(len(rows)))
	for _, r := range rows {
		if len(r) != p.in {
			return nil, fmt.Errorf("a row of %d numbers for a program with %d inputs", len(r), p.in)
		}
		for _, x := range r {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x))
		}
	}
	if _, err := p.stdin.Write(text); err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(p.stdout, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n == 0 || n > len(rows) {
		return nil, errors.New("the program under test answers more rows than were asked")
	}
	width := 1 + 8*p.out
	text = make([]byte, n*width)
	if _, err := io.ReadFull(p.stdout, text); err != nil {
		return nil, err
	}
	out := make([]answer, n)
	numbers := make([]float64, n*p.out)
	for i := range out {
		row := text[i*width:]
		if out[i].ending = ending(row[0]); out[i].ending != done {
			continue
		}
		out[i].out = numbers[i*p.out : (i+1)*p.out : (i+1)*p.out]
		for j := range out[i].out {
			out[i].out[j] = math.Float64frombits(binary.LittleEndian.Uint64(row[1+8*j:]))
		}
	}
	return out, nil
}
