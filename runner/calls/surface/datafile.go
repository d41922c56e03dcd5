package surface

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"
)

// Many tests are driven by a file: a suite of programs in YAML, of schemas in JSON, of sections in txtar.
// What the code is given stands there as a part of the file, and a file is often too large to be an
// argument itself.

const (
	maxDataBytes = 1 << 18 // of a file of data
	maxDataOfAll = 1 << 22 // of all those of a package; then only small ones are read
	maxDataParts = 400     // taken of all files that the tests of a package read
	maxFileName  = 200
)

// dataParts are the parts of a file that may be arguments, in their order, each once: texts of a document, and what
// stands between its brackets as it is written; sections of an archive. Other files have none.
func dataParts(name, text string) []string {
	var parts parted
	if strings.IndexByte(text, 0) >= 0 {
		return nil
	}
	if corpus, ok := strings.CutPrefix(text, "go test fuzz v1\n"); ok {
		parts.corpus(corpus)
		return parts.list
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		parts.json([]byte(text))
	case ".yaml", ".yml":
		parts.yaml(text)
	}
	if len(parts.list) == 0 {
		for _, f := range txtar.Parse([]byte(text)).Files {
			parts.add(string(f.Data))
		}
	}
	return parts.list
}

// paragraphs are the parts of a text between empty lines.
func paragraphs(text string) []string {
	var parts parted
	if strings.IndexByte(text, 0) >= 0 {
		return nil
	}
	for _, p := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		parts.add(p)
	}
	return parts.list
}

// parted collects parts.
type parted struct {
	list []string
	seen map[string]bool
}

// add takes in what can be an argument and is more than a letter.
func (p *parted) add(s string) {
	if len(s) < 2 || len(s) > maxTextBytes || p.seen[s] {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[s] = true
	p.list = append(p.list, s)
}

// corpus takes in the texts of an entry of a fuzz test's corpus, one on each line, as in string("a").
func (p *parted) corpus(lines string) {
	for line := range strings.Lines(lines) {
		_, quoted, _ := strings.Cut(strings.TrimSpace(line), "(")
		if s, err := strconv.Unquote(strings.TrimSuffix(quoted, ")")); err == nil {
			p.add(s)
		}
	}
}

// partDepth is how deep lists and objects of a document are taken as they are written.
const partDepth = 4

// json takes in the texts below a value, and lists and objects below it as they are written.
func (p *parted) json(text []byte) {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return
		}
		p.jsonValue(raw, 0)
	}
}

func (p *parted) jsonValue(raw json.RawMessage, depth int) {
	if depth > partDepth {
		return
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			p.add(s)
		}
		return
	case '[', '{':
	default:
		return
	}
	if depth > 0 {
		p.add(string(raw))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return
	}
	for d.More() {
		if raw[0] == '{' {
			if _, err := d.Token(); err != nil { // the key
				return
			}
		}
		var e json.RawMessage
		if d.Decode(&e) != nil {
			return
		}
		p.jsonValue(e, depth+1)
	}
}

// yaml takes in the texts of documents.
func (p *parted) yaml(text string) {
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		if d.Decode(&n) != nil {
			return
		}
		p.yamlNode(&n)
	}
}

func (p *parted) yamlNode(n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		p.add(n.Value)
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			p.yamlNode(n.Content[i])
		}
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, e := range n.Content {
			p.yamlNode(e)
		}
	}
}

// namedFiles are the files that tests in a folder name in their texts, and those in folders that they name, in the order of
// the texts. They lie below root, and are no Go files.
func namedFiles(root, dir string, texts []string) []string {
	var out []string
	for _, s := range texts {
		if len(s) > maxFileName || !strings.ContainsAny(s, "./") || strings.ContainsAny(s, "\n\x00:*") || filepath.IsAbs(s) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(s))
		if strings.HasPrefix(dir, path) || !lies(path, root) {
			continue
		}
		for _, f := range listed(path) {
			if filepath.Ext(f) != ".go" && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// lies reports whether there is a path, and no link on it leads out of a folder.
func lies(path, folder string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	folder, err = filepath.EvalSymlinks(folder)
	return err == nil && strings.HasPrefix(real, folder+string(filepath.Separator))
}
