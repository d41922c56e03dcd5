//go:build go1.21

package serving

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"
)

// Replying returns a function that answers what clients ask, in place of servers: the answers one
// after the other, the last one again and again. It tells of each request.
func Replying(tell func(string), answers []string) func(*http.Request) (*http.Response, error) {
	var mu sync.Mutex
	n := 0
	return func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		tell(sent(r))
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		text := answers[min(n, len(answers)-1)]
		n++
		if !strings.HasPrefix(text, "HTTP/") {
			return nil, errors.New(text)
		}
		return http.ReadResponse(bufio.NewReader(strings.NewReader(text)), r)
	}
}

// Replied returns the answer that a text holds. It panics if the text is no HTTP answer.
func Replied(text string) *http.Response {
	a, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	if err != nil {
		panic(err)
	}
	return a
}

// sent is what a client sends: the method, the URL, the host if it is not the URL's, the header
// and the body, which it uses up and closes.
func sent(r *http.Request) string {
	text := r.Method + " " + r.URL.String()
	if r.Host != "" && r.Host != r.URL.Host {
		text += " of " + r.Host
	}
	var lines []string
	for name, values := range r.Header {
		for _, v := range values {
			lines = append(lines, "\n"+name+": "+v)
		}
	}
	sort.Strings(lines)
	text += strings.Join(lines, "")
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		text += fmt.Sprintf("\n\n%s", body)
		if err != nil {
			text += "\n" + err.Error()
		}
	}
	return text
}
