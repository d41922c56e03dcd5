//go:build go1.21

package harness

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What reads files by their names is given paths of files that a sequence makes: of a file, or of a folder of them.
// Each folder is in the process's folder for temporary files, of which outputs do not tell where it is, and
// goes before the next sequence.

// field is one of a struct.
type field struct {
	t    reflect.Type
	name string
}

// PathFields registers, by a nil pointer to a struct type, fields whose texts name files or folders.
func PathFields(pointer any, names ...string) {
	for _, n := range names {
		registry.pathFields[field{reflect.TypeOf(pointer).Elem(), n}] = true
	}
}

// ReadsFiles registers that the code reads files by their names.
func ReadsFiles() { registry.readsFiles = true }

// ReadsLinks registers that the code tells symbolic links from what they lead to.
func ReadsLinks() { registry.readsLinks = true }

// namesFile reports whether the texts of an argument name files.
func (r *Registry) namesFile(at spot) bool {
	return r.Has(at.op) && at.arg >= 0 && r.Ops[at.op].Paths>>at.arg&1 != 0
}

// PathOf reads the literal of a path: which file it is of, -1 for the folder, and the files. It reports whether it is one.
func PathOf(l wire.Lit) (file int, files []File, ok bool) {
	n, files, ok := numberAndFiles(l, wire.SpecialPath)
	if !ok || n < 0 || n > int64(len(files)) {
		return -1, nil, false
	}
	return int(n) - 1, files, true
}

// newPath makes the files that a literal says, in a folder of their own.
func (m *Machine) newPath(l wire.Lit, t reflect.Type) (v reflect.Value, err error) {
	at, files, ok := PathOf(l)
	if !ok || t.Kind() != reflect.String && !reflect.TypeOf("").AssignableTo(t) {
		return v, ErrInvalid
	}
	m.folders++
	path := folderAt(m.folders)
	os.RemoveAll(path) // another machine of this process may have left files there that nobody may write to
	if err := os.MkdirAll(path, 0o755); err != nil {
		return v, ErrInvalid
	}
	for _, f := range files {
		if f.Missing {
			continue
		}
		if f.make(path) != nil {
			return v, ErrInvalid
		}
	}
	if at >= 0 {
		name, _ := files[at].Link()
		path = filepath.Join(path, filepath.FromSlash(name))
	}
	if v = reflect.ValueOf(path); t.Kind() == reflect.String {
		v = v.Convert(t)
	}
	return v, nil
}

// make makes a file in a folder.
func (f File) make(folder string) error {
	name, link := f.Link()
	name = filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if link {
		return os.Symlink(filepath.FromSlash(f.Content), name)
	}
	return os.WriteFile(name, []byte(f.Content), 0o644)
}

// folderAt is where the nth folder is made, which is called as (*testing.T).TempDir calls it.
func folderAt(n int) string { return filepath.Join(foldersIn(), fmt.Sprintf("%03d", n)) }

// foldersIn is where folders of files are made.
func foldersIn() string { return filepath.Join(os.TempDir(), "files") }

// RemoveFolders removes the folders of the last sequence, before another one or the same again makes its own.
func (m *Machine) RemoveFolders() { m.RemoveFoldersFrom(0) }

// RemoveFoldersFrom removes all folders but the first n.
func (m *Machine) RemoveFoldersFrom(n int) {
	for ; m.folders > n; m.folders-- {
		os.RemoveAll(folderAt(m.folders))
	}
}

// Folders returns how many folders the sequence has made so far.
func (m *Machine) Folders() int { return m.folders }

// fileName is the name of a file: mostly of one that is there. What stands elsewhere on the machine is nothing of the
// code under test.
func (b *builder) fileName(at spot) wire.Lit {
	if b.g.r.Chance(40) {
		if s := b.text(at); s == "" || filepath.IsLocal(s) {
			return wire.Lit{Form: wire.Text, S: s}
		}
	}
	return b.freshPath()
}

const (
	// samePath is how often, of 100, a path is one that the sequence has, where it has some: what one call writes, another
	// reads, or writes once more.
	samePath = 60
	// keptPath is how often, of 100, a new path is kept for that.
	keptPath = 50
	// wholeProject is how often, of 100, a new path is of all files of a folder that the tests read, where they read some.
	wholeProject = 30
	// missingFile is how often, of 100, a new path is of a file that is not there: code makes files, too.
	missingFile = 15
	// linked is how often, of 100, a new path has a symbolic link, where the code asks for such.
	linked = 40
)

// pathFor is the name of a file, for a parameter of type t: that of an earlier call, or another one.
func (b *builder) pathFor(t reflect.Type, at spot) wire.Lit {
	text := reflect.TypeOf("")
	if t != text {
		return b.fileName(at)
	}
	end := len(b.p)
	if b.changing > 0 {
		end = b.changing - 1
	}
	for i := end - 1; i >= 0; i-- {
		if keepsPath(b.p[i]) && b.g.r.Chance(samePath) {
			return wire.RefTo(i, 0)
		}
	}
	l := b.fileName(at)
	k, ok := wire.BasicType(text)
	if l.Form != wire.Special || !ok || b.changing > 0 || len(b.p) >= longest || !b.g.r.Chance(keptPath) {
		return l
	}
	b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}}})
	return wire.RefTo(len(b.p)-1, 0)
}

// keepsPath reports whether a step keeps a path for others.
func keepsPath(s wire.Step) bool {
	return s.Op == wire.OpLet && len(s.Args) == 1 && len(s.Args[0].E) == 1 && s.Args[0].E[0].Form == wire.Special && s.Args[0].E[0].S == wire.SpecialPath
}

// freshPath is the path of a new file, or of a new folder of files: such as the tests read, or such as the texts of the
// code name, with texts that are known.
func (b *builder) freshPath() wire.Lit {
	r := b.g.r
	b.g.filed = true
	l := wire.Lit{Form: wire.Special, S: wire.SpecialPath, E: []wire.Lit{{Form: wire.Int}}}
	if r.Chance(wholeProject) && b.addProject(&l) {
		return l
	}
	for n := 1 + r.few(2); n > 0; n-- {
		switch list := b.g.plain.read; {
		case len(list) > 0 && r.Chance(70):
			b.addFile(&l, b.readFile())
		case r.Chance(50):
			b.addNamedFile(&l)
		default:
			f := usualFiles[r.Intn(len(usualFiles))]
			if r.Chance(50) {
				f.Content = b.text(spot{-1, -1})
			}
			b.addFile(&l, f)
		}
	}
	if r.Chance(missingFile) {
		b.addMissing(&l)
	}
	if b.g.m.readsLinks && r.Chance(linked) {
		b.addLink(&l)
	}
	if n := len(l.E) / 2; n > 0 && r.Chance(60) {
		l.E[0].N = int64(1 + r.Intn(n))
	}
	return l
}

// addMissing has a path be that of a file that is not there, often in a folder that is not there.
func (b *builder) addMissing(l *wire.Lit) {
	r := b.g.r
	f, ok := b.namedFile()
	if !ok || r.Chance(30) {
		f = usualFiles[r.Intn(len(usualFiles))]
	}
	if f.Missing = true; r.Chance(50) {
		f.Name = "new/" + f.Name
	}
	n := len(l.E)
	if b.addFile(l, f); len(l.E) > n {
		l.E[0].N = int64(len(l.E) / 2)
	}
}

// addLink gives a path a symbolic link: to one of its files or folders, to what lies outside of its folder, or to
// nothing. Mostly the path is that of the link then, or of what is behind it.
func (b *builder) addLink(l *wire.Lit) {
	r := b.g.r
	targets := []string{"..", ".", "nowhere"}
	for _, f := range filesIn(*l) {
		name, _ := f.Link()
		targets = append(targets, name, path.Dir(name))
	}
	target := targets[r.Intn(len(targets))]
	name := [...]string{"link", "link.txt", "links/link"}[r.Intn(3)]
	if path.Dir(name) != "." && r.Chance(70) {
		target = path.Join("..", target)
	}
	n := len(l.E)
	if b.addFile(l, File{Name: name + LinkMark, Content: target}); len(l.E) > n && r.Chance(70) {
		l.E[0].N = int64(len(l.E) / 2)
	}
}

// readFile is a file that the tests read, mostly with a change in it.
func (b *builder) readFile() File {
	r := b.g.r
	list := b.g.plain.read
	f := list[r.Intn(len(list))]
	if r.Chance(70) {
		f[1] = b.g.plain.change(r, f[1])
	}
	return File{Name: path.Base(f[0]), Content: f[1]}
}

// addProject gives a path the files of a folder that the tests read, most often with a change in one of them. It reports whether
// there is such a folder.
func (b *builder) addProject(l *wire.Lit) bool {
	r := b.g.r
	list := b.g.plain.projects()
	if len(list) == 0 {
		return false
	}
	files := list[r.Intn(len(list))]
	changed := r.Intn(len(files) + len(files)/2 + 1)
	for i, f := range files {
		if i == changed {
			f.Content = b.g.plain.change(r, f.Content)
		}
		b.addFile(l, f)
	}
	n := len(l.E) / 2
	if n > 0 && r.Chance(20) {
		l.E[0].N = int64(1 + r.Intn(n))
	}
	return n > 0
}

// projects are the folders that the tests read, with more than one file and not too many, and those in them.
func (p *Plain) projects() [][]File {
	if p.folders != nil {
		return p.folders
	}
	p.folders = [][]File{}
	seen := map[string]bool{}
	for _, of := range p.read {
		for dir := path.Dir(of[0]); dir != "." && dir != "/" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			var files []File
			for _, f := range p.read {
				if name := strings.TrimPrefix(f[0], dir+"/"); name != f[0] {
					files = append(files, File{Name: name, Content: f[1]})
				}
			}
			if len(files) > 1 && len(files) <= maxFileNames {
				p.folders = append(p.folders, files)
			}
		}
	}
	return p.folders
}

// changePath changes the literal of a path by one file, or has it be that of another one.
func (b *builder) changePath(l *wire.Lit) {
	r := b.g.r
	n := len(l.E) / 2
	switch {
	case n > 0 && r.Chance(30):
		l.E[0].N = int64(r.Intn(n + 1))
	case n > 1 && r.Chance(30):
		at := r.Intn(n)
		l.E = append(l.E[:1+2*at:1+2*at], l.E[3+2*at:]...)
		if l.E[0].N > int64(at) {
			l.E[0].N--
		}
	case len(b.g.plain.read) > 0 && r.Chance(60):
		b.addFile(l, b.readFile())
	default:
		b.addNamedFile(l)
	}
}
