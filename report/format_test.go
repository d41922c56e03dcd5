package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
)

func TestRender(t *testing.T) {
	t.Parallel()
	s := fixture(t, "everything")
	for _, name := range Formats() {
		var first, second bytes.Buffer
		if err := Render(name, &first, s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := Render(name, &second, fixture(t, "everything")); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if first.Len() == 0 || first.String() != second.String() {
			t.Errorf("%s: two renderings of one stream differ, or are empty", name)
		}
	}
	err := Render("telegram", &bytes.Buffer{}, s)
	if err == nil || !strings.Contains(err.Error(), "terminal, markdown, json") {
		t.Errorf("unknown format: %v", err)
	}
}

// TestRenderJSON: the stream comes back as it was.
func TestRenderJSON(t *testing.T) {
	t.Parallel()
	s := fixture(t, "everything")
	var b bytes.Buffer
	if err := Render("json", &b, s); err != nil {
		t.Fatal(err)
	}
	again, err := event.ReadStream(&b, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, again); diff != "" {
		t.Error(diff)
	}
}

type brokenPipe struct{}

var errPipe = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestRenderReportsWriteErrors(t *testing.T) {
	t.Parallel()
	for _, name := range Formats() {
		if err := Render(name, brokenPipe{}, fixture(t, "figure1")); !errors.Is(err, errPipe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
