package report

import "testing"

// Only paths that begin with github.com name a page, and only of real versions: what a
// stream says must not become a link to anywhere else.
func TestDiffAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, base, head, want string }{
		{"github.com/o/r", "v1.4.0", "v1.5.0", "https://github.com/o/r/compare/v1.4.0...v1.5.0"},
		{"github.com/o/r/v3", "v3.1.0", "v3.2.0", "https://github.com/o/r/compare/v3.1.0...v3.2.0"},
		{"github.com/o/r/sub/dir/v2", "v2.0.0", "v2.0.1", "https://github.com/o/r/compare/sub/dir/v2.0.0...sub/dir/v2.0.1"},
		{"github.com/o/r", "v2.0.0+incompatible", "v3.0.0+incompatible", "https://github.com/o/r/compare/v2.0.0...v3.0.0"},
		{"github.com/o/r", "v0.0.0-20210107192922-496545a6307b", "v1.0.0", "https://github.com/o/r/compare/496545a6307b...v1.0.0"},
		{"golang.org/x/net", "v0.1.0", "v0.2.0", ""},
		{"gopkg.in/yaml.v3", "v3.0.0", "v3.0.1", ""},
		{"github.com/o/r", "v1.0.0", "./r", ""},
		{"github.com/o/r", "v1.0.0", "v1.0.0", ""},
		{"github.com/o", "v1.0.0", "v1.1.0", ""},
		{"github.com/o/r)[x](https://evil.example", "v1.0.0", "v1.1.0", ""},
		{"github.com/o/..", "v1.0.0", "v1.1.0", ""},
	} {
		if got := diffAddress(c.path, c.base, c.head); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.path, c.base, c.head, got, c.want)
		}
	}
}
