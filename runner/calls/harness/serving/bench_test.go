package serving

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func BenchmarkServe(b *testing.B) {
	h := http.NotFoundHandler()
	for b.Loop() {
		Serve(h, httptest.NewRequest("GET", "/", nil))
	}
}
