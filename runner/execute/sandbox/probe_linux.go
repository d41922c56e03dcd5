package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// Probe finds the strongest level that works here, by starting exe as a
// locked-in child that must fail to change files outside and succeed
// inside, and likewise for the network. detail says in words what was reached
// and what was not. An error means that the policy requires more than there is,
// or that ctx ended.
func Probe(ctx context.Context, exe string, p Policy) (level Level, detail string, err error) {
	if p.Off {
		return None, "switched off", nil
	}
	abi, err := landlockABI()
	if err != nil {
		return lacking(p, err)
	}
	protected := fmt.Sprintf("files protected by Landlock, ABI %d", abi)
	network := "network left alone as asked"
	if !p.Network {
		err := try(ctx, exe, LandlockNetwork, p)
		if err == nil {
			return LandlockNetwork, protected + "; no network but loopback", nil
		}
		network = fmt.Sprintf("network reachable (no network namespace: %v)", err)
	}
	if err := try(ctx, exe, Landlock, p); err != nil {
		if ctx.Err() != nil {
			return None, "", ctx.Err()
		}
		return lacking(p, err)
	}
	return Landlock, protected + "; " + network, nil
}

func lacking(p Policy, reason error) (Level, string, error) {
	if p.Require {
		return None, reason.Error(), fmt.Errorf("required, but files outside cannot be protected here: %w", reason)
	}
	return None, "nothing is restricted: " + reason.Error(), nil
}

// try starts a child of ours that does what probe says.
func try(ctx context.Context, exe string, level Level, p Policy) error {
	dir, err := os.MkdirTemp(p.Temp, "isodelta-probe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	inside, outside := filepath.Join(dir, "inside"), filepath.Join(dir, "outside")
	for _, d := range []string{inside, outside} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "keep"), []byte("keep"), 0o600); err != nil {
		return err
	}
	p.Writable = []string{inside}
	cmd := Command(ctx, level, p, exe, exe, HelperArg, "probe", string(level), inside, outside)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := run(cmd); err != nil {
		text := strings.TrimSpace(out.String())
		text = strings.TrimPrefix(text, "isodelta: sandbox: ")
		if line, _, _ := strings.Cut(text, "\n"); line != "" {
			return errors.New(line)
		}
		return err
	}
	if !strings.Contains(out.String(), probePassed) {
		return fmt.Errorf("%s does not act as its own helper", exe) // main forgot to call Helper
	}
	if text, err := os.ReadFile(filepath.Join(outside, "keep")); err != nil || string(text) != "keep" {
		return errors.New("a file outside was changed although the child was refused")
	}
	return nil
}

const probePassed = "sandbox probe passed"

// probe is the locked-in child of try. It ends the process when all is as it
// should be, and returns what is not.
func probe(args []string) error {
	if len(args) != 3 {
		return errors.New("probe: wrong number of arguments")
	}
	level, inside, outside := Level(args[0]), args[1], args[2]
	if err := os.WriteFile(filepath.Join(inside, "file"), nil, 0o600); err != nil {
		return fmt.Errorf("cannot write inside: %w", err)
	}
	keep := filepath.Join(outside, "keep")
	for _, attempt := range []struct {
		what string
		err  error
	}{
		{"create", os.WriteFile(filepath.Join(outside, "new"), nil, 0o600)},
		{"write", os.WriteFile(keep, []byte("changed"), 0o600)},
		{"remove", os.Remove(keep)},
	} {
		if attempt.err == nil {
			return fmt.Errorf("can still %s files outside", attempt.what)
		}
	}
	if level == LandlockNetwork {
		if err := onlyLoopback(); err != nil {
			return err
		}
	}
	fmt.Println(probePassed)
	os.Exit(0)
	return nil
}

// onlyLoopback checks that a server on loopback can be reached, and that there
// is no interface that leads anywhere else.
func onlyLoopback() error {
	interfaces, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return fmt.Errorf("interface %s is still there", i.Name)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	return c.Close()
}
