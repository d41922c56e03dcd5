package config

import (
	"os"
	"strings"
	"testing"
)

// TestDocs: the example of the documentation is read without complaint.
func TestDocs(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../docs/relations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/relations.md has no example")
	}
	c, err := Parse("docs/relations.md", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Relations) != 4 || len(c.Categories) != 1 || len(c.Relations[2].FollowUps) != 2 {
		t.Errorf("%+v", c)
	}
}
