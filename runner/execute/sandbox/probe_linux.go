package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/runner/execute/sandbox/keeper"
)

// Probe finds the strongest level that works here, by starting exe as a
// locked-in child that must fail at what the level forbids and succeed at what
// it allows. An error means that the policy requires more than there is, or
// that ctx ended.
func Probe(ctx context.Context, exe string, p Policy) (Found, error) {
	if p.Off {
		return Found{Level: None, Policy: p, Detail: "switched off", Open: allGaps()}, nil
	}
	abi, err := keeper.LandlockABI()
	if err != nil {
		return lacking(p, err)
	}
	var reasons []string // why no more
	levels := []Level{Namespaces, LandlockNetwork, Landlock}
	if p.Network {
		levels, reasons = levels[2:], []string{"network left alone as asked"}
	}
	for _, level := range levels {
		f, err := tryBoth(ctx, exe, level, p)
		if ctx.Err() != nil {
			return Found{}, ctx.Err()
		}
		if err == nil {
			f.describe(abi, reasons)
			return f, nil
		}
		if level == Landlock {
			return lacking(p, err)
		}
		reasons = append(reasons, lack(level, err))
	}
	return lacking(p, errors.New("no level works"))
}

// Try is Probe for one level, which it is an error not to reach.
func Try(ctx context.Context, exe string, level Level, p Policy) (Found, error) {
	if level == None {
		return Found{Level: None, Policy: p, Open: allGaps()}, nil
	}
	abi, err := keeper.LandlockABI()
	if err != nil {
		return Found{}, err
	}
	f, err := tryBoth(ctx, exe, level, p)
	if err == nil {
		f.describe(abi, nil)
	}
	return f, err
}

func lack(level Level, err error) string {
	if level == Namespaces {
		return fmt.Sprintf("no namespaces of processes and mounts: %v", err)
	}
	return fmt.Sprintf("network reachable (no network namespace: %v)", err)
}

// tryBoth tries a level with sockets closed, then with sockets open.
func tryBoth(ctx context.Context, exe string, level Level, p Policy) (Found, error) {
	p.Processes = allowance(level, p.Processes)
	open, err := try(ctx, exe, level, p)
	if err != nil && !p.Sockets && ctx.Err() == nil {
		closed := err
		p.Sockets = true
		if open, err = try(ctx, exe, level, p); err == nil {
			return Found{Level: level, Policy: p, Detail: fmt.Sprintf("sockets in the file system reachable (%v)", closed), Open: open}, nil
		}
	}
	return Found{Level: level, Policy: p, Open: open}, err
}

// describe fills in Detail, and what holds without having been tried.
func (f *Found) describe(abi int, reasons []string) {
	parts := []string{fmt.Sprintf("files protected by Landlock, ABI %d", abi)}
	switch f.Level {
	case Namespaces:
		parts = append(parts, "no network but loopback", "processes, mounts and the temporary folder of its own")
	case LandlockNetwork:
		parts = append(parts, "no network but loopback")
	}
	parts = append(parts, reasons...)
	if f.Detail != "" {
		parts = append(parts, f.Detail)
	}
	f.Open = append(f.Open, Reading)
	if abi < 3 && f.Level != Namespaces {
		f.Open = append(f.Open, Truncating)
	}
	if f.Level == Landlock {
		f.Open = append(f.Open, Network)
	}
	if f.Policy.Sockets {
		f.Open = append(f.Open, Sockets)
	}
	if !limitsProcesses(f.Level) {
		f.Open = append(f.Open, Crowding)
	}
	if f.Level != Namespaces {
		f.Open = append(f.Open, Filling)
	}
	if os.Geteuid() == 0 {
		f.Open = append(f.Open, Root)
		parts = append(parts, "run as root: better run as another user, since files that root may read are all files")
	}
	f.Open = sorted(f.Open)
	f.Detail = strings.Join(parts, "; ")
}

func lacking(p Policy, reason error) (Found, error) {
	none := Found{Level: None, Policy: p, Detail: "nothing is restricted: " + reason.Error(), Open: allGaps()}
	if p.Require {
		return none, fmt.Errorf("required, but files outside cannot be protected here: %w", reason)
	}
	return none, nil
}

// try starts a child of ours that does what probe says, and gives what it found
// open.
func try(ctx context.Context, exe string, level Level, p Policy) ([]Gap, error) {
	dir, err := os.MkdirTemp(p.Temp, "isodelta-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	inside, outside, temp := filepath.Join(dir, "inside"), filepath.Join(dir, "outside"), filepath.Join(dir, "temp")
	for _, d := range []string{inside, outside, temp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	keep := filepath.Join(outside, "keep")
	if err := os.WriteFile(keep, []byte("keep"), 0o600); err != nil {
		return nil, err
	}
	l, err := listenIn(outside)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	p.Writable, p.Temp = []string{inside}, temp
	p.TempBytes = max(p.TempBytes, 1<<20)
	cmd := Command(ctx, level, p, exe, exe, probeArg, string(level), fmt.Sprint(p.Sockets), dir, fmt.Sprint(os.Getpid()))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 2 * time.Second // for output that a process left behind holds open
	err = run(cmd)
	left := errors.Is(err, exec.ErrWaitDelay)
	if err != nil && !left {
		return nil, said(out.String(), err)
	}
	open, passed := verdict(out.String())
	if !passed {
		return nil, fmt.Errorf("%s does not act as its own keeper", exe)
	}
	if text, err := os.ReadFile(keep); err != nil || string(text) != "keep" {
		return nil, errors.New("a file outside was changed although the child was refused")
	}
	if left {
		open = append(open, Outliving)
	}
	return open, nil
}

// said returns the reason that a keeper or its target printed.
func said(output string, err error) error {
	text := strings.TrimPrefix(strings.TrimSpace(output), "isodelta: sandbox: ")
	if line, _, _ := strings.Cut(text, "\n"); line != "" {
		return errors.New(line)
	}
	return err
}
