// This program waits for timers while a server of its own waits for connections, and at last for an answer that
// nobody gives. Given anything, it waits beside a ticker.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/user"
	"time"
	_ "unsafe"
)

//go:linkname wall runtime.isodelta_wall
var wall int64

func main() {
	if len(os.Args) > 1 {
		forTicks()
	}
	user.Current() // where there is a C compiler, by cgo
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
			return
		}
		io.WriteString(w, "hello")
	}))
	wall = 1e9
	begin := time.Now()
	time.Sleep(time.Hour)
	fmt.Println("slept", time.Since(begin).Truncate(time.Minute))

	begin = time.Now()
	ask(s.URL, time.Hour)
	fmt.Println("answered in", time.Since(begin).Truncate(time.Minute))

	begin = time.Now()
	if ask(s.URL+"/slow", 30*time.Minute) != nil {
		fmt.Println("refused after", time.Since(begin).Truncate(time.Minute))
	}
	ask(s.URL+"/slow", 0)
}

// forTicks waits for what never comes, while another goroutine goes on by a ticker.
func forTicks() {
	wall = 1e9
	go func() {
		for range time.Tick(time.Second) {
		}
	}()
	select {}
}

func ask(url string, limit time.Duration) error {
	ctx := context.Background()
	if limit > 0 {
		c, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = c
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	_, err = io.ReadAll(a.Body)
	return err
}
