// Command picture shows the pull-request comment as its readers see it.
//
//	go run ./internal/screenshot STREAM OUT.png -theme dark -width 390
//
// It renders a recorded stream as the comment, converts that with goldmark, puts
// it into a page that looks like GitHub's (page.css, light and dark) or like a
// plain e-mail client's (no style, every fold open), and photographs the page
// with headless Chromium where there is one. The page and its Markdown stay next to the
// picture.
//
// GitHub's own renderer is cmark-gfm with filters behind it; goldmark agrees with
// it on what the report uses, but makes no mentions and no references, so a
// picture proves nothing about those.
package main
