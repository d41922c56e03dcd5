package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/isodelta/isodelta/bot/githubtest"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:9999", "address to listen on")
	dir := flag.String("state", "", "folder with state.json, written after each request")
	prefix := flag.String("prefix", "", "prefix of all paths, such as /api/v3")
	pageSize := flag.Int("page-size", 0, "largest page, 0 for GitHub's")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	opt := githubtest.Options{Address: *addr, Prefix: *prefix, PageSize: *pageSize}
	if err := serve(ctx, opt, *dir); err != nil {
		fmt.Fprintf(os.Stderr, "serve: %v\n", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, opt githubtest.Options, dir string) error {
	if dir == "" {
		return errors.New("-state names no folder")
	}
	b, err := os.ReadFile(filepath.Join(dir, "state.json"))
	if err == nil {
		err = json.Unmarshal(b, &opt.State)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "state.json"), err)
	}
	opt.Changed = func(s *githubtest.Server) {
		if err := record(s, dir); err != nil {
			fmt.Fprintf(os.Stderr, "serve: %v\n", err)
		}
	}
	opt.Find = func(run int64) []githubtest.Artifact { return archives(dir, run) }
	s, err := githubtest.New(opt)
	if err != nil {
		return err
	}
	if err := record(s, dir); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ready"), []byte(s.URL+"\n"), 0o644); err != nil {
		return err
	}
	fmt.Println(s.URL)
	<-ctx.Done()
	s.Close()
	if v := s.Violations(); len(v) > 0 {
		return fmt.Errorf("%d requests or answers were not as GitHub describes its API:\n%s", len(v), strings.Join(v, "\n"))
	}
	return nil
}

// record writes what the double holds.
func record(s *githubtest.Server, dir string) error {
	for name, v := range map[string]any{
		"state.json": s.State(), "requests.json": s.Requests(), "violations.json": s.Violations(),
	} {
		b, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		file := filepath.Join(dir, name)
		temp, err := os.CreateTemp(dir, ".write-*") // a reader never sees half a file
		if err != nil {
			return err
		}
		_, err = temp.Write(append(b, '\n'))
		if err := errors.Join(err, temp.Close()); err != nil {
			return err
		}
		if err := os.Rename(temp.Name(), file); err != nil {
			return err
		}
	}
	return nil
}

// archives of a run that lie in the folder.
func archives(dir string, run int64) []githubtest.Artifact {
	files, _ := filepath.Glob(filepath.Join(dir, "artifacts", strconv.FormatInt(run, 10), "*.zip"))
	var list []githubtest.Artifact
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		h := fnv.New32a() // a number that stays the same while others come and go
		h.Write([]byte(f))
		list = append(list, githubtest.Artifact{
			ID: 1<<20 + int64(h.Sum32()), Run: run, Name: strings.TrimSuffix(filepath.Base(f), ".zip"), Zip: b,
		})
	}
	return list
}
