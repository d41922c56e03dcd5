package diff

import "github.com/isodelta/isodelta/internal/lazyregexp"

// volatile are parts of messages that two processes need not share: addresses,
// goroutine numbers, durations, temporary names.
var volatile = lazyregexp.New(`0x[0-9a-fA-F]{6,}|goroutine \d+|\b\d+(\.\d+)?(ns|µs|ms|s)\b|p\d{8}`)

// abstract takes the volatile parts out of a message.
func abstract(s string) string { return volatile().ReplaceAllString(s, "…") }
