package hostile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	result "github.com/isodelta/isodelta/runner/outcome"
)

// stage is what attempts are made against: files, servers and processes of one
// user, and isodelta itself, which this process stands for.
type stage struct {
	dir     string // for all files
	binary  string // of testdata/attempts
	secret  string
	outside string
	victim  *exec.Cmd
	sleep   string // what a daemon sleeps, by which it is found
	names   map[string]string
	close   []io.Closer
}

// report is what a stage says of a level.
type report struct {
	Found    sandbox.Found
	Missing  string // why the level could not be reached
	Outcomes map[string]outcome
}

// limits are low, so that little is needed to try them.
func limits() sandbox.Policy {
	return sandbox.Policy{MemoryBytes: 512 << 20, FileBytes: 8 << 20, TempBytes: 16 << 20, Processes: 420}
}

// play makes all attempts at a level, and writes a report.
func play(level sandbox.Level, dir, binary string, w io.Writer) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	policy := limits()
	if level == sandbox.None {
		policy = sandbox.Policy{}
	}
	found, err := sandbox.Try(context.Background(), exe, level, policy)
	if err != nil {
		return json.NewEncoder(w).Encode(report{Found: found, Missing: err.Error()})
	}
	r := report{Found: found, Outcomes: map[string]outcome{}}
	for i, a := range attempts() {
		s, err := newStage(filepath.Join(dir, fmt.Sprintf("%s-%02d", level, i)), binary)
		if err != nil {
			return err
		}
		r.Outcomes[a.test], err = s.try(exe, found, a)
		s.clear()
		if err != nil {
			return fmt.Errorf("%s: %w", a.what, err)
		}
	}
	return json.NewEncoder(w).Encode(r)
}

func newStage(dir, binary string) (*stage, error) {
	s := &stage{dir: dir, binary: binary, secret: os.Getenv("GITHUB_TOKEN"), outside: filepath.Join(dir, "outside"),
		sleep: fmt.Sprintf("29.%09d", time.Now().UnixNano()%1e9), names: map[string]string{}}
	for _, d := range []string{s.outside, filepath.Join(dir, "run"), filepath.Join(dir, "work")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{"keep": "keep", "secret": s.secret, "private": s.secret} {
		if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(s.path("private"), 0); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(s.path("private"), nobody, nobody); err != nil {
			return nil, err
		}
	}
	s.victim = exec.Command("sleep", "3600")
	if err := s.victim.Start(); err != nil {
		return nil, err
	}
	return s, errors.Join(
		s.serve("TCP", "tcp", "127.0.0.1:0"),
		s.serve("SOCKET", "unix", s.path("s")),
		s.serve("ABSTRACT", "unix", "@isodelta-hostile-"+s.sleep),
		s.receive())
}

// serve tells the secret to whoever connects.
func (s *stage) serve(name, network, address string) error {
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	s.close = append(s.close, l)
	s.names[name] = l.Addr().String()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, s.secret)
			c.Close()
		}
	}()
	return nil
}

func (s *stage) receive() error {
	p, err := net.ListenPacket("unixgram", s.path("d"))
	if err != nil {
		return err
	}
	s.close = append(s.close, p)
	s.names["DATAGRAM"] = p.LocalAddr().String()
	return nil
}

func (s *stage) path(name string) string { return filepath.Join(s.outside, name) }

func (s *stage) clear() {
	for _, c := range s.close {
		c.Close()
	}
	s.victim.Process.Kill()
	s.victim.Wait()
	for _, pid := range s.sleepers() {
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill()
		}
	}
	os.RemoveAll(s.dir)
}

// environment tells an attempt where to find its victims.
func (s *stage) environment() []string {
	env, _ := sandbox.ScrubEnv(os.Environ())
	env = append(env, "ATTEMPT_OUTSIDE="+s.outside, "ATTEMPT_SLEEP="+s.sleep,
		"ATTEMPT_PARENT="+strconv.Itoa(os.Getpid()), "ATTEMPT_VICTIM="+strconv.Itoa(s.victim.Process.Pid))
	for name, address := range s.names {
		env = append(env, "ATTEMPT_"+name+"="+address)
	}
	return env
}

func (s *stage) lab(exe string, found sandbox.Found) *execute.Lab {
	return &execute.Lab{Executable: exe, Level: found.Level, Policy: found.Policy, Env: s.environment(), Tmp: filepath.Join(s.dir, "run")}
}

func (s *stage) target(a attempt) execute.Target {
	return execute.Target{Binary: s.binary, Dir: filepath.Join(s.dir, "work"), Test: a.test}
}

// try makes an attempt as isodelta runs a test.
func (s *stage) try(exe string, found sandbox.Found, a attempt) (outcome, error) {
	lab := s.lab(exe, found)
	if a.drive != nil {
		return a.drive(s, lab, a), nil
	}
	_, output, err := lab.RunTest(context.Background(), s.target(a), 30*time.Second)
	if err != nil && !strings.Contains(output, "OUTCOME") && !strings.Contains(err.Error(), "did not run") {
		return outcome{}, err
	}
	o := read("\n" + output)
	switch {
	case a.secret && o.Done:
		o.Done = strings.Contains(o.Reason, s.secret)
	case a.proven != nil:
		o.Done = a.proven(s)
	}
	return o, nil
}

func (s *stage) keepChanged() bool {
	text, err := os.ReadFile(s.path("keep"))
	return err != nil || string(text) != "keep"
}

func (s *stage) victimLives() bool {
	for range 10 { // a busy machine takes a moment to end a process
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.victim.Process.Pid))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return false
		}
		time.Sleep(100 * time.Millisecond)
	}
	return true
}

func (s *stage) sleeps() bool { return len(s.sleepers()) > 0 }

// sleepers are what attempts have left behind.
func (s *stage) sleepers() []int {
	var all []int
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		args, _ := os.ReadFile(file)
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && string(args) == "sleep\x00"+s.sleep+"\x00" {
			all = append(all, pid)
		}
	}
	return all
}

// patience is how long isodelta may take over a test that does not behave.
const patience = 15 * time.Second

// ask has the attempt answer a command, as a test with a probe would.
func (s *stage) ask(lab *execute.Lab, a attempt) (r result.Result, err error, came bool) {
	session := lab.Session(s.target(a))
	session.Limit, session.Startup = 2*time.Second, 3*time.Second
	done := make(chan bool)
	go func() {
		defer close(done)
		r, err = session.Do(context.Background(), execute.Command{})
		session.Close()
	}()
	select {
	case <-done:
		return r, err, true
	case <-time.After(patience):
		return r, nil, false
	}
}

func (s *stage) forge(lab *execute.Lab, a attempt) outcome {
	r, err, _ := s.ask(lab, a)
	if err != nil {
		return outcome{Reason: err.Error()}
	}
	return outcome{Done: r.Outcome == event.Pass, Reason: r.Message}
}

// hang reports whether isodelta was still waiting when it should not have been.
func (s *stage) hang(lab *execute.Lab, a attempt) outcome {
	r, err, came := s.ask(lab, a)
	return outcome{Done: !came, Reason: fmt.Sprint(r.Outcome, " ", err)}
}

// links reports whether the clean-up has touched what links led to.
func (s *stage) links(lab *execute.Lab, a attempt) outcome {
	_, _, came := s.ask(lab, a)
	info, err := os.Stat(s.outside)
	return outcome{Done: !came || err != nil || info.Mode().Perm() != 0o700 || s.keepChanged(), Reason: "links are removed, not followed"}
}
