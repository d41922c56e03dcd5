package trust

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		named, folder string
		want          []string
	}{
		{"", "", []string{".isodelta.yml"}},
		{"", ".", []string{".isodelta.yml"}},
		{"", "a/b", []string{"a/b/.isodelta.yml", "a/.isodelta.yml", ".isodelta.yml"}},
		{"", "../a", []string{"a/.isodelta.yml", ".isodelta.yml"}},
		{"ci/x.yml", "", []string{"ci/x.yml"}},
		{"x.yml", "a", []string{"a/x.yml"}},
	} {
		if got := Files(test.named, test.folder, ".isodelta.yml"); !slices.Equal(got, test.want) {
			t.Errorf("%q in %q: %v, want %v", test.named, test.folder, got, test.want)
		}
	}
}

// repository is GitHub as far as a guard asks.
type repository map[string]string // files at every commit

func (r repository) File(_ context.Context, _, path string, _ int) ([]byte, error) {
	if text, ok := r[path]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (repository) Contains(context.Context, string, string) (bool, error) { return false, nil }

func (repository) Parents(context.Context, string) ([]string, error) { return nil, nil }

func guard(files repository) *Guard {
	return &Guard{GitHub: files, Today: time.Now(), Settings: Settings{Files: []string{"a/x.yml", "x.yml"}, Parse: func(base, head File) (Rules, error) {
		name, text := base.Name, base.Text
		if string(text) == "bad" {
			return Rules{}, errors.New("bad")
		}
		return Rules{Policy: policy.Policy{FailOn: strings.Fields(name + " " + string(text)), Rules: []policy.Rule{{Packages: []string{"m"}}}},
			Changes: []event.SettingChange{{Key: "file", Base: string(base.Text), Head: string(head.Text), Counts: event.CountsBase}},
			Accept:  []acceptance.Entry{{ID: strings.Repeat("0", 64), Reason: "r", From: acceptance.FromConfig}}}, nil
	}}}
}

// The rules are those of the nearest file on base, or of the workflow; nothing
// that the stream says of itself is left.
func TestJudge(t *testing.T) {
	t.Parallel()
	forged := func() *event.Stream {
		return &event.Stream{
			Versions:  []event.Versions{{Head: event.Side{Commit: strings.Repeat("2", 40)}}},
			Config:    event.Config{Version: 1, SettingsFile: "forged", Changes: []event.SettingChange{{Key: "forged"}}, FailOn: []string{"forced"}, Policy: []event.PolicyRule{{Packages: []string{"..."}, FailOn: []string{}}}},
			Findings:  []event.Finding{{ID: "f", Cluster: "c", Rung: event.Observed, Package: "m", Function: "F", Accepted: &event.Acceptance{Reason: "forged", From: "config"}, Proposed: &event.Acceptance{Reason: "forged", From: "head"}}},
			Relations: []event.Relation{{ID: "r", Function: "G", Relation: "G(x) = x", State: event.Broken, Cause: strings.Repeat("0", 64), Accepted: &event.Acceptance{Reason: "forged", From: "config"}, Proposed: &event.Acceptance{Reason: "forged", From: "head"}}},
			Limits:    []event.Limit{{Type: "limit", Kind: event.LimitStaleAcceptance, What: "forged", Reason: "forged"}, {Type: "limit", Kind: "cgo", What: "w", Reason: "r"}},
			Summary:   &event.Summary{Verdict: event.Differences},
		}
	}
	g := guard(repository{"x.yml": "observed"})
	s := forged()
	if err := g.Judge(t.Context(), s, "0123"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"x.yml", "observed"}, s.Config.FailOn); d != "" || s.Findings[0].Accepted != nil || len(s.Limits) != 1 || len(s.Config.Policy) != 1 {
		t.Errorf("%s%+v %+v %+v", d, s.Findings, s.Limits, s.Config.Policy)
	}
	if c := s.Config; c.SettingsFile != "" || len(c.Changes) != 1 || c.Changes[0].Base != "observed" || c.Changes[0].Head != "observed" || s.Findings[0].Proposed != nil {
		t.Errorf("what head changes is the stream's word: %+v", c)
	}
	if r := s.Relations[0]; r.Accepted != nil || r.Proposed != nil || r.Cause == strings.Repeat("0", 64) {
		t.Errorf("what is accepted of a relation, and by which identifier, is the stream's word: %+v", r)
	}
	g.Settings.FailOn = []string{}
	s = forged()
	if err := g.Judge(t.Context(), s, "0123"); err != nil || len(s.Config.FailOn)+len(s.Config.Policy) != 0 {
		t.Errorf("%v, the workflow's own policy is not the one: %+v", err, s.Config)
	}
	var settings *SettingsError
	if err := guard(repository{"a/x.yml": "bad", "x.yml": "observed"}).Judge(t.Context(), forged(), "0123"); !errors.As(err, &settings) {
		t.Errorf("settings that are not valid: %v", err)
	}
}
