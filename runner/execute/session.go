package execute

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/isodelta/isodelta/internal/scratch"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
)

// Lab is where test processes run: the same sandbox, environment and
// temporary directory for all of them.
type Lab struct {
	Executable string        // our own, to be started again as the sandbox's keeper
	Level      sandbox.Level // reached
	Detail     string        // what it means on this machine
	Open       []sandbox.Gap // what processes can do all the same
	Policy     sandbox.Policy
	Env        []string // of the processes, without secrets
	Flags      []string // further flags of the test binary, such as -test.short
	Tmp        string   // a directory for the processes' own temporary directories
	started    atomic.Int64
}

// Target is one test in one binary.
type Target struct {
	Binary string
	Dir    string // working directory: the package's, in the suite's tree
	Test   string // name of the top-level test function
	// Pristine is a copy of Dir. Where it is given, the test may write to Dir,
	// which is made anew for each process; then no two processes may use Dir
	// at a time.
	Pristine string
	// Own says that each process runs in a copy of Dir that is its own, and may write there. What lies
	// beside Dir is not beside the copy.
	Own  bool
	Bare bool     // the TestMain of the package does nothing but run the test
	Held bool     // as Bare, and an init function that panics or exits ends itself alone
	Once bool     // each iteration has a process of its own, without a warm-up
	Env  []string // of the process, beside the laboratory's
	// Size is how much of the probe's tables the binary uses; zero for one
	// without a probe.
	Size probe.Size
}

// Command asks for one iteration.
type Command struct {
	Negations []int // indices of conditions
	Fuel      int64
	Detail    bool
	Sites     []int // to render, in detail mode
	// Varied is what the test has in the place of its variation points, by number: see instrument.Point.
	Varied map[int]string
	// Watch is what the harness is to do at the entries of hooked functions:
	// "" nothing, "record", "amplify" or "explain". What it has to say comes
	// back as Result.Extra. Seed and Most are its seed and its limit (0 for the
	// usual one), Ban the keys of calls to leave out, Keys those to explain.
	Watch     string
	Seed      uint64
	Most      int
	Ban, Keys []uint64
	// Moved is how far the places of new values in memory are moved.
	Moved int
}

// Session drives one test in persistent mode. It is not safe for concurrent
// use.
type Session struct {
	lab    *Lab
	target Target
	// Limit is how long one iteration may take before it is Hung, start-up and
	// warm-up not counted.
	Limit time.Duration
	// Startup is what the first iteration of a process may take more.
	Startup time.Duration
	// Once gives each iteration a process of its own, without a warm-up: it is what go test executes.
	Once  bool
	bound time.Duration // 0 for none
	p     *process
	seq   uint32
	// Starts counts the processes started.
	Starts int
}

type process struct {
	cmd      *exec.Cmd
	commands *os.File
	results  *os.File
	reader   *bufio.Reader
	note     note
	output   tail
	tmp      string
	own      string // "" without an own copy of the working directory, see Target.Own
	done     chan struct{}
	err      error
	warm     bool // has been told to warm up
	used     bool // has answered a command
}

const (
	startLimit   = 60 * time.Second // for start-up: package initialisers, TestMain
	warmFuel     = int64(1) << 61
	maxRecord    = 64 << 20
	defaultLimit = 10 * time.Second
)

// Session opens a session; no process is started before the first command.
func (l *Lab) Session(t Target) *Session {
	return &Session{lab: l, target: t, Limit: defaultLimit, Startup: startLimit, Once: t.Once}
}

// Within bounds each iteration, and what the first of a process may take more: a
// process that does not come to its test has no more time than one that does.
func (s *Session) Within(limit time.Duration) {
	s.Limit, s.Startup = limit, min(s.Startup, limit)
}

// Bound lowers Limit for the iterations that follow, until it is called again: with the start of a
// process, too.
func (s *Session) Bound(max time.Duration) { s.bound = max }

// limit is how long the next iteration may take, start-up not counted.
func (s *Session) limit() time.Duration {
	if s.bound > 0 {
		return min(s.Limit, s.bound)
	}
	return s.Limit
}

// Do runs one iteration, in a warmed-up process. An error is the lab's (the
// process could not be started, the context is over), never the test's.
func (s *Session) Do(ctx context.Context, c Command) (outcome.Result, error) {
	if s.p != nil && s.p.used && s.Once {
		s.Close()
	}
	if s.p == nil {
		target := s.target
		target.Once = s.Once
		p, err := s.lab.start(target)
		if err != nil {
			return outcome.Result{}, err
		}
		s.p = p
		s.Starts++
	}
	limit := s.limit()
	if !s.p.used {
		limit += s.Startup
		if s.bound > 0 {
			limit = min(limit, s.bound)
		}
	}
	stop := context.AfterFunc(ctx, s.p.kill)
	defer stop()
	// A process need not read what it is told.
	deadline := time.Now().Add(limit)
	s.p.commands.SetWriteDeadline(deadline)
	s.p.results.SetReadDeadline(deadline)
	seq, r, err := s.exchange(c)
	switch {
	case ctx.Err() != nil:
		s.Close()
		return outcome.Result{}, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		r := outcome.Result{Outcome: event.Hung, Output: s.p.output.String(), Message: fmt.Sprintf("no end after %s", s.limit())}
		r.Key, r.Hook = s.p.note.call()
		s.Close()
		return r, nil
	case err != nil:
		return s.ended(ctx)
	case seq != s.seq:
		s.Close()
		return outcome.Result{}, fmt.Errorf("%s: %w: answer %d to command %d", s.target.Test, errRecord, seq, s.seq)
	}
	s.p.used = true
	return r, nil
}

// exchange sends a command and reads the answer. The answer to a warm-up is the
// answer to the command behind it.
func (s *Session) exchange(c Command) (seq uint32, r outcome.Result, err error) {
	if !s.p.warm && !s.Once {
		s.p.warm = true
		if err := s.p.write(0, Command{Fuel: warmFuel}, true); err != nil {
			return 0, outcome.Result{}, err
		}
	}
	s.seq++
	if err := s.p.write(s.seq, c, false); err != nil {
		return 0, outcome.Result{}, err
	}
	return s.p.read()
}

// ended collects the last words of a process that is gone.
func (s *Session) ended(ctx context.Context) (outcome.Result, error) {
	p := s.p
	p.commands.Close()
	select {
	case <-p.done:
	case <-time.After(2 * time.Second):
		p.kill()
		<-p.done
	}
	if ctx.Err() != nil {
		s.Close()
		return outcome.Result{}, ctx.Err()
	}
	out := p.output.String()
	if err := notStarted(s.target.Binary, out, p.err); err != nil && !p.used {
		s.Close()
		return outcome.Result{}, err
	}
	r := outcome.Result{Outcome: event.Died, Output: out, Message: lastWords(out, p.err)}
	r.Key, r.Hook = p.note.call()
	r.Verdict = verdict(out, r.Message)
	if strings.Contains(r.Message, "isodelta: out of fuel") {
		r.Outcome = event.Exhausted
	}
	s.Close()
	return r, nil
}

// Close ends the process, if there is one, and removes what it left.
func (s *Session) Close() {
	if s.p == nil {
		return
	}
	s.p.commands.Close()
	s.p.kill()
	<-s.p.done
	s.p.results.Close()
	s.p.note.close()
	s.p.removeFolders()
	s.p = nil
}

// removeFolders removes what was made for the process.
func (p *process) removeFolders() {
	scratch.RemoveAll(p.tmp)
	if p.own != "" {
		scratch.RemoveAll(p.own)
	}
}

// Finish lets the process end by itself and gives the tail of what it has
// printed: package testing writes a test's log only after the test's last
// cleanup, hence after the answer to the command.
func (s *Session) Finish() string {
	if s.p == nil {
		return ""
	}
	s.p.commands.Close()
	select {
	case <-s.p.done:
	case <-time.After(2 * time.Second):
	}
	out := s.p.output.String()
	s.Close()
	return out
}

// policy returns what a process of a target may do. A folder that it may write to is made anew.
func (l *Lab) policy(t Target, tmp string) (sandbox.Policy, error) {
	policy := l.Policy
	policy.Temp = tmp
	if t.Pristine == "" {
		return policy, nil
	}
	if err := Renew(t.Dir, t.Pristine); err != nil {
		return policy, fmt.Errorf("%s: %w", t.Test, err)
	}
	policy.Writable = append(slices.Clone(policy.Writable), t.Dir)
	return policy, nil
}

// ownFolder copies the working directory for a process of a target that has tmp for its temporary files, with leave to write to the copy. It returns
// the copy, and the folder that it is in, which is to be removed with the process.
func (l *Lab) ownFolder(t Target, tmp string, policy *sandbox.Policy) (dir, parent string, err error) {
	parent = tmp + "-own" // what differs between two processes in it is known
	dir = filepath.Join(parent, filepath.Base(t.Dir))
	if err := os.CopyFS(dir, os.DirFS(t.Dir)); err != nil {
		scratch.RemoveAll(parent)
		return "", "", fmt.Errorf("copy the folder for %s: %w", t.Test, err)
	}
	policy.Writable = append(slices.Clone(policy.Writable), dir)
	return dir, parent, nil
}

func (l *Lab) start(t Target) (*process, error) {
	// Names of equal length, so that no path is longer on one version.
	tmp := filepath.Join(l.Tmp, fmt.Sprintf("p%08d", l.started.Add(1)))
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return nil, fmt.Errorf("temporary directory for %s: %w", t.Test, err)
	}
	policy, err := l.policy(t, tmp)
	if err != nil {
		return nil, err
	}
	count := "1000000000"
	if t.Once {
		count = "1" // suites of ginkgo refuse more
	}
	dir, own := t.Dir, ""
	if t.Own {
		if dir, own, err = l.ownFolder(t, tmp, &policy); err != nil {
			return nil, err
		}
	}
	args := []string{"-test.run=^" + regexp.QuoteMeta(t.Test) + "$", "-test.count=" + count, "-test.timeout=0"}
	args = append(args, l.Flags...)
	mode := "1"
	switch {
	case t.Held:
		mode = probe.Held
	case t.Bare:
		mode = probe.Bare
	}
	policy.Env = slices.Concat(l.Env, t.Env, []string{"TMPDIR=" + tmp, "PWD=" + dir, probe.Environment + "=" + mode})
	cmd := sandbox.Command(context.Background(), l.Level, policy, l.Executable, t.Binary, args...)
	cmd.Dir = dir
	commandsIn, commandsOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	resultsIn, resultsOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	note, err := newNote(l.Tmp)
	if err != nil {
		return nil, fmt.Errorf("note for %s: %w", t.Test, err)
	}
	cmd.ExtraFiles = []*os.File{commandsIn, resultsOut, note.file}
	p := &process{cmd: cmd, commands: commandsOut, results: resultsIn, note: note, tmp: tmp, own: own,
		reader: bufio.NewReaderSize(resultsIn, 64<<10), done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.output, &p.output
	cmd.WaitDelay = time.Second
	// It fits into the pipe, before there is a reader.
	_, err = io.WriteString(commandsOut, t.Size.Line())
	if err == nil {
		err = sandbox.Start(cmd)
	}
	commandsIn.Close()
	resultsOut.Close()
	if err != nil {
		commandsOut.Close()
		resultsIn.Close()
		note.close()
		p.removeFolders()
		return nil, &StartError{t.Binary, err.Error()}
	}
	go func() {
		p.err = sandbox.Ended(cmd.Wait())
		close(p.done)
	}()
	return p, nil
}

func (p *process) kill() {
	select {
	case <-p.done:
	default:
		p.cmd.Cancel()
	}
}

func (p *process) write(seq uint32, c Command, warm bool) error {
	flags := ""
	if warm {
		flags += "w"
	}
	if c.Detail {
		flags += "d"
	}
	if flags == "" {
		flags = "-"
	}
	line := fmt.Sprintf("%d %d %s %s %s %s", seq, c.Fuel, flags, list(c.Negations), list(c.Sites), values(c.Varied))
	if c.Watch != "" {
		line += fmt.Sprintf(" %s %d %d %s %s %d", c.Watch, c.Seed, c.Most, keys(c.Ban), keys(c.Keys), c.Moved)
	}
	_, err := io.WriteString(p.commands, line+"\n")
	return err
}

func keys(k []uint64) string {
	if len(k) == 0 {
		return "-"
	}
	s := make([]string, len(k))
	for i, x := range k {
		s[i] = strconv.FormatUint(x, 16)
	}
	return strings.Join(s, ",")
}

// values writes values by number, as package probe reads them.
func values(m map[int]string) string {
	if len(m) == 0 {
		return "-"
	}
	var s []string
	for _, n := range slices.Sorted(maps.Keys(m)) {
		s = append(s, fmt.Sprintf("%d=%x", n, m[n]))
	}
	return strings.Join(s, ",")
}

func list(n []int) string {
	if len(n) == 0 {
		return "-"
	}
	s := make([]string, len(n))
	for i, x := range n {
		s[i] = strconv.Itoa(x)
	}
	return strings.Join(s, ",")
}

func (p *process) read() (uint32, outcome.Result, error) {
	var size [4]byte
	if _, err := io.ReadFull(p.reader, size[:]); err != nil {
		return 0, outcome.Result{}, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxRecord {
		return 0, outcome.Result{}, errRecord
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(p.reader, b); err != nil {
		return 0, outcome.Result{}, err
	}
	return decode(b)
}

// lastWords picks the line that says why a process ended.
func lastWords(output string, err error) string {
	for _, line := range strings.Split(output, "\n") {
		if strings.HasPrefix(line, "panic: "+refused) {
			return outOfMemory
		}
		if line == stuck {
			return line
		}
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
			strings.HasPrefix(line, "runtime: goroutine stack exceeds") {
			return strings.TrimSpace(line)
		}
	}
	if err != nil {
		return err.Error()
	}
	return "exit status 0"
}

// creator is what created the goroutine that a process panicked on, whose stack is the first that is printed;
// "" where none is printed, or nothing created it.
func creator(output string) string {
	_, rest, _ := strings.Cut("\n"+output, "\npanic: ")
	_, stack, _ := strings.Cut(rest, "\n\ngoroutine ")
	stack, _, _ = strings.Cut(stack, "\n\n")
	_, by, _ := strings.Cut(stack, "\ncreated by ")
	by, _, _ = strings.Cut(by, "\n")
	name, _, _ := strings.Cut(by, " in goroutine ")
	return name
}

// tail keeps the beginning and the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	head []byte
	rest []byte
}

const (
	headBytes = 8 << 10
	restBytes = 16 << 10
)

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := headBytes - len(t.head); room > 0 {
		k := min(room, len(b))
		t.head = append(t.head, b[:k]...)
		b = b[k:]
	}
	t.rest = append(t.rest, b...)
	if len(t.rest) > 2*restBytes {
		t.rest = append(t.rest[:0], t.rest[len(t.rest)-restBytes:]...)
	}
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.head) + string(t.rest)
}
