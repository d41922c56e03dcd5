package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

func request(t *testing.T, q Request, covered func() ([]int, []int)) (a Response) {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(bytes.NewReader(text), &out, properties.Subjects(), covered); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSurvey(t *testing.T) {
	t.Parallel()
	q := Request{Subject: "parking", Survey: &Survey{First: 100, Draws: 3000, PerFrame: 2, Plain: 7}}
	a := request(t, q, nil)
	frames := map[string]int{}
	last := uint64(99)
	for _, i := range a.Inputs {
		if i.Draw <= last || i.Draw >= 3100 {
			t.Errorf("draw %d after %d", i.Draw, last)
		}
		last = i.Draw
		frames[fmt.Sprint(i.In, i.Out)]++
		if len(i.In) != len(a.Description.In) || len(i.Out) != len(a.Description.Out) {
			t.Errorf("%v does not have the categories of %v", i, a.Description)
		}
	}
	more := 0
	for _, n := range frames {
		more += max(0, n-2)
	}
	if more != 7 {
		t.Errorf("%d inputs beyond two of each frame, want 7", more)
	}
	if diff := cmp.Diff(a, request(t, q, nil)); diff != "" {
		t.Errorf("the same question has another answer:\n%s", diff)
	}
}

func TestTry(t *testing.T) {
	t.Parallel()
	q := Try{Pool: []uint64{1, 2, 3, 4}, First: 1000, Draws: 50, Applicable: true}
	a := request(t, Request{Subject: "meal", Try: &q}, nil)
	applicable := 0
	for _, g := range a.Groups {
		applicable += len(g.Applicable)
		if len(g.Violated) > 0 {
			t.Errorf("violated on the original: %v", g)
		}
	}
	if applicable == 0 || a.Outputs == 0 || a.Further != 0 {
		t.Errorf("%d groups, outputs %x, further %x; want groups, outputs, and nothing further where the outputs differ from those given", applicable, a.Outputs, a.Further)
	}
	q.Outputs, q.Applicable = a.Outputs, false
	b := request(t, Request{Subject: "meal", Try: &q}, nil)
	if b.Outputs != a.Outputs || b.Further == 0 {
		t.Errorf("outputs %x, further %x; want %x and more", b.Outputs, b.Further, a.Outputs)
	}
	for _, g := range b.Groups {
		if len(g.Applicable) > 0 {
			t.Error("the relations that apply are given without having been asked for")
		}
	}
}

func TestCover(t *testing.T) {
	t.Parallel()
	n := 0
	covered := func() ([]int, []int) {
		n++
		return []int{n}, []int{-n}
	}
	a := request(t, Request{Subject: "phone", Cover: &Cover{Pool: []uint64{5, 6}}}, covered)
	// The first call only clears what ran before.
	want := []Coverage{{[]int{2}, []int{-2}}, {[]int{3}, []int{-3}}}
	if diff := cmp.Diff(want, a.Covered); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{`{`, "request: "},
		{`{"Subject": "tax"}`, `no subject is called "tax"`},
		{`{"Subject": "phone"}`, "asks for nothing"},
		{`{"Subject": "phone", "Cover": {}}`, "asks for nothing that this program can do"},
	} {
		err := Run(strings.NewReader(test.text), new(bytes.Buffer), properties.Subjects(), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.text, err, test.want)
		}
	}
}
