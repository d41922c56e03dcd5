package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"golang.org/x/mod/semver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "movetag: want one version, such as v1.2.3")
		os.Exit(2)
	}
	tag, why, err := decide(ctx, ".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "movetag:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, why)
	fmt.Println("tag=" + tag)
}

// decide returns the tag to move to a version, "" for none, and the reason.
func decide(ctx context.Context, dir, version string) (tag, why string, err error) {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return "", "", fmt.Errorf("%q is no version in full, such as v1.2.3", version)
	}
	if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", commitOf(version)); err != nil {
		return "", "", fmt.Errorf("there is no tag %s here: %w", version, err)
	}
	if semver.Prerelease(version) != "" {
		return "", version + " is a pre-release, and moves nothing.", nil
	}
	tag = semver.Major(version)
	known, err := git(ctx, dir, "tag", "--list", tag)
	if err != nil {
		return "", "", err
	}
	if known == "" {
		return tag, tag + " is new, at " + version + ".", nil
	}
	at, err := versionAt(ctx, dir, tag)
	switch {
	case err != nil:
		return "", "", err
	case semver.Compare(version, at) <= 0:
		return "", fmt.Sprintf("%s is at %s already, and %s is not above it.", tag, at, version), nil
	}
	return tag, fmt.Sprintf("%s moves up from %s to %s.", tag, at, version), nil
}

// versionAt is the highest stable version of what a major version's tag points to.
func versionAt(ctx context.Context, dir, major string) (string, error) {
	list, err := git(ctx, dir, "tag", "--points-at", commitOf(major))
	if err != nil {
		return "", err
	}
	highest := ""
	for _, v := range strings.Fields(list) {
		stable := semver.Canonical(v) == v && semver.Prerelease(v) == "" && semver.Major(v) == major
		if stable && (highest == "" || semver.Compare(v, highest) > 0) {
			highest = v
		}
	}
	if highest == "" {
		return "", fmt.Errorf("%s points to a commit that no stable version has: somebody moved it, and has to say by hand where it belongs", major)
	}
	return highest, nil
}

func commitOf(tag string) string { return "refs/tags/" + tag + "^{commit}" }

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
