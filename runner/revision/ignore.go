package revision

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ignoreList holds the patterns of one file of ignore rules.
type ignoreList struct {
	base     string // slash path of the folder the patterns are relative to, "." for the top
	patterns []ignorePattern
}

// ignorePattern is one line of ignore rules.
type ignorePattern struct {
	expression *regexp.Regexp
	wholePath  bool // match the path below base, not only the last name
	dirOnly    bool
	negated    bool // the line brings files back
}

// ignoreRules are the lists that apply in a folder, the weakest first.
type ignoreRules []ignoreList

// ignored reports whether the rules leave out a path whose parent folders are
// not left out. Within the strongest list that says anything the last line
// decides.
func (rules ignoreRules) ignored(name string, isDir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		list := rules[i]
		below := name
		if list.base != "." {
			below = strings.TrimPrefix(name, list.base+"/")
		}
		for j := len(list.patterns) - 1; j >= 0; j-- {
			p := list.patterns[j]
			subject := below
			if !p.wholePath {
				subject = path.Base(below)
			}
			if (isDir || !p.dirOnly) && p.expression.MatchString(byteWise(subject)) {
				return !p.negated
			}
		}
	}
	return false
}

// with adds the rules of the folder dir, a slash path below root, if it has any.
func (rules ignoreRules) with(root, dir string) (ignoreRules, error) {
	file := filepath.Join(root, filepath.FromSlash(dir), ".gitignore")
	// git does not follow a link here either.
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return rules, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return append(rules[:len(rules):len(rules)], ignoreList{dir, parseIgnore(text)}), nil
}

// globalRules reads the rules that are not part of the tree: the user's, then
// the repository's own.
func (r *Repository) globalRules() ignoreRules {
	excludes := r.config.get("core", "", "excludesFile")
	if excludes == "" {
		excludes = filepath.Join(userConfigDir(), "git", "ignore")
	} else if rest, ok := strings.CutPrefix(excludes, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			excludes = filepath.Join(home, rest)
		}
	} else if !filepath.IsAbs(excludes) {
		excludes = filepath.Join(r.root, excludes)
	}
	var rules ignoreRules
	for _, file := range []string{excludes, filepath.Join(r.commonDir, "info", "exclude")} {
		// As with git, a file that cannot be read has no rules.
		if text, err := os.ReadFile(file); err == nil {
			rules = append(rules, ignoreList{".", parseIgnore(text)})
		}
	}
	return rules
}

func parseIgnore(text []byte) []ignorePattern {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var patterns []ignorePattern
	for line := range strings.SplitSeq(string(text), "\n") {
		if p, ok := parseIgnoreLine(strings.TrimSuffix(line, "\r")); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

func parseIgnoreLine(line string) (p ignorePattern, ok bool) {
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	line = trimUnescapedSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return p, false
	}
	p.wholePath = strings.Contains(line, "/")
	expression, ok := wildcard(strings.TrimPrefix(line, "/"))
	if !ok {
		return p, false
	}
	p.expression = expression
	return p, true
}

// trimUnescapedSpaces removes spaces at the end, except for those after a backslash.
func trimUnescapedSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
			end = i + 1
		} else if line[i] != ' ' {
			end = i + 1
		}
	}
	return line[:end]
}

// wildcard translates a pattern of git's; false if it can match nothing.
func wildcard(pattern string) (*regexp.Regexp, bool) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	// git compares what comes before the first wildcard by itself, so that "**"
	// directly after it is at the start of what is left.
	literal := strings.IndexAny(pattern, `*?[\`)
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		atName := i == literal || i > 0 && pattern[i-1] == '/'
		switch {
		case rest[0] == '*':
			stars := len(rest) - len(strings.TrimLeft(rest, "*"))
			i += stars
			switch after := rest[stars:]; {
			case atName && stars > 1 && after == "":
				b.WriteString(`.*`)
			case atName && stars > 1 && after[0] == '/':
				b.WriteString(`(?:.*/)?`)
				i++
			default:
				b.WriteString(`[^/]*`)
			}
		case rest[0] == '?':
			b.WriteString(`[^/]`)
			i++
		case rest[0] == '[':
			class, n := bracket(rest)
			if n == 0 {
				return nil, false
			}
			b.WriteString(class)
			i += n
		case rest[0] == '\\':
			if len(rest) == 1 {
				return nil, false
			}
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i += 2
		default:
			n := strings.IndexAny(rest[1:], `*?[\/`) + 1
			if n == 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n
		}
	}
	b.WriteString(`\z`)
	expression, err := regexp.Compile(byteWise(b.String()))
	return expression, err == nil
}

// bracket translates a bracket expression at the start of pattern, and tells how
// long it is; 0 if it does not end.
func bracket(pattern string) (class string, length int) {
	var b strings.Builder
	i := 1
	b.WriteByte('[')
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		b.WriteString("^/") // no wildcard matches a separator
		i++
	}
	for first := true; i < len(pattern); first = false {
		switch c := pattern[i]; {
		case c == ']' && !first:
			b.WriteByte(']')
			return b.String(), i + 1
		case c == '[' && strings.HasPrefix(pattern[i:], "[:"):
			end := strings.Index(pattern[i:], ":]")
			if end < 0 {
				return "", 0
			}
			b.WriteString(pattern[i : i+end+2])
			i += end + 2
		case c == '-':
			// Between two characters it makes a range; elsewhere it is itself.
			if first || i+1 < len(pattern) && pattern[i+1] == ']' {
				b.WriteByte('\\')
			}
			b.WriteByte('-')
			i++
		case c == '\\' && i+1 < len(pattern):
			b.WriteString(regexp.QuoteMeta(pattern[i+1 : i+2]))
			i += 2
		case strings.IndexByte(`\[]^&~`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", 0
}

// byteWise makes a character of each byte, for git's wildcards match bytes.
func byteWise(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			runes := make([]rune, len(s))
			for j := range runes {
				runes[j] = rune(s[j])
			}
			return string(runes)
		}
	}
	return s
}
