package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldhtml "github.com/yuin/goldmark/renderer/html"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

//go:embed page.css
var style string

// view says how the comment is looked at.
type view struct {
	theme  string // light, dark or mail
	width  int    // of the window, in CSS pixels
	height int    // likewise; 0 is as high as the page
	scale  float64
	open   int // folds that are opened, from the first
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("picture", flag.ContinueOnError)
	var v view
	flags.StringVar(&v.theme, "theme", "light", "light, dark or mail")
	flags.IntVar(&v.width, "width", 980, "of the window, in CSS pixels; a phone has 390")
	flags.IntVar(&v.height, "height", 0, "of the window; 0 is as high as the page")
	flags.Float64Var(&v.scale, "scale", 1, "device pixels for each CSS pixel")
	flags.IntVar(&v.open, "open", 0, "number of folds to open")
	repository := flags.String("repository", "https://github.com/owner/repository", "address that links lead to")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) != 2 {
		return errors.New("usage: picture STREAM OUT.png [flags]")
	}
	markdown, err := comment(names[0], *repository)
	if err != nil {
		return err
	}
	if err := os.WriteFile(strings.TrimSuffix(names[1], ".png")+".md", markdown, 0o644); err != nil {
		return err
	}
	page, err := v.page(markdown)
	if err != nil {
		return err
	}
	file := strings.TrimSuffix(names[1], ".png") + ".html"
	if err := os.WriteFile(file, page, 0o644); err != nil {
		return err
	}
	return v.photograph(ctx, file, names[1])
}

// parse takes flags before and after the names.
func parse(flags *flag.FlagSet, args []string) (names []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return names, nil
		}
		names = append(names, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// comment renders a stream as the comment on a pull request, with every link.
func comment(stream, repository string) ([]byte, error) {
	f, err := os.Open(stream)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := event.ReadStream(f, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stream, err)
	}
	commits := map[string]string{}
	for _, v := range s.Versions {
		commits["base"], commits["head"] = v.Base.Commit, v.Head.Commit
	}
	var b bytes.Buffer
	err = report.Markdown(&b, s, report.MarkdownOptions{
		Limit: 65536,
		Link: func(side, file string, line int) string {
			return repository + "/blob/" + commits[side] + "/" + file + "#L" + strconv.Itoa(line)
		},
		Commit:   func(hash string) string { return repository + "/commit/" + hash },
		Run:      repository + "/actions/runs/1",
		Report:   repository + "/actions/runs/1/artifacts/2",
		Commands: true,
	})
	return b.Bytes(), err
}

func (v view) page(markdown []byte) ([]byte, error) {
	var body bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldhtml.WithUnsafe()))
	if err := md.Convert(markdown, &body); err != nil {
		return nil, err
	}
	text := body.String()
	if v.theme == "mail" {
		// Most clients have no folds, and show what is in them.
		text = strings.NewReplacer("<details>", "<div>", "</details>", "</div>", "<summary>", "<p>", "</summary>", "</p>").Replace(text)
		return []byte("<!DOCTYPE html><meta charset=utf-8><body style=\"font-family: sans-serif; margin: 8px\">" + text), nil
	}
	text = strings.Replace(coloured(text), "<details>", "<details open>", v.open)
	return fmt.Appendf(nil, "<!DOCTYPE html><html class=%q><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><style>%s</style>"+
		"<div class=comment><div class=author><b>github-actions</b> <i>bot</i> commented</div><div class=body>%s</div></div>", html.EscapeString(v.theme), style, text), nil
}

var diffBlock = regexp.MustCompile(`(?s)<code class="language-diff">(.*?)</code>`)

// coloured paints the lines of diffs, as GitHub does.
func coloured(body string) string {
	return diffBlock.ReplaceAllStringFunc(body, func(block string) string {
		lines := strings.Split(block, "\n")
		for i, l := range lines {
			switch {
			case strings.HasPrefix(l, "-"):
				lines[i] = "<span class=minus>" + l + "</span>"
			case strings.HasPrefix(l, "+"):
				lines[i] = "<span class=plus>" + l + "</span>"
			}
		}
		return strings.Join(lines, "\n")
	})
}

// photograph needs a Chromium; without one the page is all there is.
func (v view) photograph(ctx context.Context, page, out string) error {
	chromium, err := browser()
	if err != nil {
		fmt.Fprintf(os.Stderr, "picture: %v; open %s instead\n", err, page)
		return nil
	}
	profile, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	if page, err = filepath.Abs(page); err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	// A frame as wide as asked for: Chromium's own windows are never narrower than 500.
	frame := filepath.Join(profile, "frame.html")
	height := v.height
	if height == 0 {
		if height, err = v.measure(ctx, chromium, profile, page); err != nil {
			return err
		}
	}
	if err := os.WriteFile(frame, fmt.Appendf(nil, "<!DOCTYPE html><style>body{margin:0}iframe{border:0;display:block}</style><iframe src=\"file://%s\" width=%d height=%d scrolling=no></iframe>", html.EscapeString(page), v.width, height), 0o600); err != nil {
		return err
	}
	_, err = chrome(ctx, chromium, profile, "--screenshot="+out, fmt.Sprintf("--window-size=%d,%d", v.width, height), fmt.Sprintf("--force-device-scale-factor=%g", v.scale), "file://"+frame)
	return err
}

var heightMark = regexp.MustCompile(`data-height="(\d+)"`)

// measure asks the page how high it is at this width.
func (v view) measure(ctx context.Context, chromium, profile, page string) (int, error) {
	body, err := os.ReadFile(page)
	if err != nil {
		return 0, err
	}
	probe := filepath.Join(profile, "probe.html")
	if err := os.WriteFile(probe, fmt.Appendf(nil, "<!DOCTYPE html><meta charset=utf-8><iframe id=f width=%d height=100 srcdoc=\"%s\"></iframe><script>f.onload=()=>document.body.dataset.height=f.contentDocument.documentElement.scrollHeight</script>", v.width, html.EscapeString(string(body))), 0o600); err != nil {
		return 0, err
	}
	dom, err := chrome(ctx, chromium, profile, "--dump-dom", "file://"+probe)
	if err != nil {
		return 0, err
	}
	found := heightMark.FindSubmatch(dom)
	if found == nil {
		return 0, errors.New("the page does not say how high it is")
	}
	height, err := strconv.Atoi(string(found[1]))
	return min(height, 16000), err
}

func browser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium on the PATH")
}

func chrome(ctx context.Context, chromium, profile string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--hide-scrollbars", "--user-data-dir=" + filepath.Join(profile, "data")}, args...)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, chromium, args...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("chromium: %w: %s", err, said.String())
	}
	return out, nil
}
