//go:build go1.21

package harness

import (
	"io/fs"
	"reflect"
	"sort"
	"strings"
	"testing/fstest"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What takes a file system is given one in memory, so that it finds files: fstest.MapFS where that
// does, which package net/http stands around where its FileSystem is wanted.

var filesType = reflect.TypeOf(fstest.MapFS{})

// HTTPFiles registers what makes an http.FileSystem of files, which F is.
func HTTPFiles[F any](of func(fs.FS) F) {
	registry.servedFiles = func(files fs.FS) reflect.Value { return reflect.ValueOf(of(files)) }
	registry.servedFilesType = reflect.TypeOf((*F)(nil)).Elem()
}

// ofFiles reports whether a type is an interface that a file system in memory can be given for.
func (r *Registry) ofFiles(t reflect.Type) bool {
	return t.Kind() == reflect.Interface && t.NumMethod() > 0 && (t == r.servedFilesType || filesType.Implements(t))
}

// A File is one of a file system's, or of a folder. One that is Missing is not made: what a path of it names is not there.
type File struct {
	Name, Content string
	Missing       bool
}

// LinkMark ends the name of a symbolic link. Its content is where it leads. Only folders have such files.
const LinkMark = " ->"

// Link returns the name of a file without the mark of a link, and reports whether it has one.
func (f File) Link() (name string, is bool) { return strings.CutSuffix(f.Name, LinkMark) }

// FilesOf reads the literal of a file system: when its files were last changed, 0 for at no time,
// and the files. It reports whether it is one.
func FilesOf(l wire.Lit) (seconds int64, files []File, ok bool) {
	return numberAndFiles(l, wire.SpecialFiles)
}

// numberAndFiles reads a literal of a kind that has a number and files.
func numberAndFiles(l wire.Lit, kind string) (n int64, files []File, ok bool) {
	if l.Form != wire.Special || l.S != kind || len(l.E)%2 != 1 || l.E[0].Form != wire.Int {
		return 0, nil, false
	}
	for i := 1; i < len(l.E); i += 2 {
		name, content := l.E[i], l.E[i+1]
		missing := content.Form == wire.Zero && kind == wire.SpecialPath
		if name.Form != wire.Text || content.Form != wire.Text && !missing || !isFileName(name.S) {
			return 0, nil, false
		}
		files = append(files, File{name.S, content.S, missing})
	}
	return l.E[0].N, files, true
}

// filesIn are the files of a literal that has some.
func filesIn(l wire.Lit) []File {
	_, files, ok := FilesOf(l)
	if !ok {
		_, files, _ = PathOf(l)
	}
	return files
}

func isFileName(s string) bool { return s != "." && fs.ValidPath(s) }

// newFiles makes the file system that a literal says.
func (m *Machine) newFiles(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	seconds, list, ok := FilesOf(l)
	if !ok || !m.ofFiles(t) {
		return reflect.Value{}, ErrInvalid
	}
	files := fstest.MapFS{}
	for _, f := range list {
		files[f.Name] = &fstest.MapFile{Data: []byte(f.Content)}
		if seconds != 0 {
			files[f.Name].ModTime = time.Unix(seconds, 0)
		}
	}
	if t == m.servedFilesType {
		return m.servedFiles(files), nil
	}
	return reflect.ValueOf(files), nil
}

// ServesFiles reports whether a type is that of file systems of package net/http.
func (r *Registry) ServesFiles(t reflect.Type) bool {
	return r.servedFilesType != nil && t == r.servedFilesType
}

const (
	filesChanged = 1_000_000_000 // when files were last changed, in seconds
	maxFileNames = 8             // files of one file system
	longestName  = 64            // bytes of the name of a file that a text becomes
)

// usualFiles are what folders that are served have: an index, a folder with one and a folder
// without, names that a URL escapes, a name that looks escaped, one that is hidden, and two
// that differ in how they end.
var usualFiles = []File{
	{Name: "index.html", Content: "index"}, {Name: "a.txt", Content: "text"}, {Name: "b/index.html", Content: "<p>b</p>"}, {Name: "c/d.txt", Content: "d"},
	{Name: "e f.txt", Content: "e"}, {Name: "l%.txt", Content: "l"}, {Name: "c/g/h.css", Content: "p {}"}, {Name: "i%20j", Content: "i"},
	{Name: ".k", Content: "k"}, {Name: "a.txt.gz", Content: "g"}, {Name: "m", Content: ""}, {Name: "c/index.html", Content: "index of c"},
}

// freshFiles is a new file system: some of the usual files, mostly with the first ones, and such
// as the texts of the code name.
func (b *builder) freshFiles() wire.Lit {
	r := b.g.r
	b.g.filed = true
	l := wire.Lit{Form: wire.Special, S: wire.SpecialFiles, E: []wire.Lit{{Form: wire.Int}}}
	if r.Chance(25) {
		l.E[0].N = filesChanged
	}
	for i, f := range usualFiles {
		if share := 70 - 6*i; r.Chance(max(share, 10)) {
			b.addFile(&l, f)
		}
	}
	for n := r.Intn(3); n > 0; n-- {
		b.addNamedFile(&l)
	}
	return l
}

// addFile gives a file system one more file, where its name fits to the others.
func (b *builder) addFile(l *wire.Lit, f File) {
	files := filesIn(*l)
	if !isFileName(f.Name) || len(files) >= maxFileNames {
		return
	}
	for _, o := range files {
		if o.Name == f.Name || strings.HasPrefix(o.Name, f.Name+"/") || strings.HasPrefix(f.Name, o.Name+"/") {
			return
		}
	}
	content := wire.Lit{Form: wire.Text, S: f.Content}
	if f.Missing {
		content = wire.Lit{Form: wire.Zero}
	}
	l.E = append(l.E, wire.Lit{Form: wire.Text, S: f.Name}, content)
	name, _ := f.Link()
	b.fileNames = append(b.fileNames, name)
}

// addNamedFile gives a file system a file that the texts of the code name.
func (b *builder) addNamedFile(l *wire.Lit) {
	if f, ok := b.namedFile(); ok {
		b.addFile(l, f)
	}
}

// namedFile is a file that the texts of the code name, and reports whether they name one.
func (b *builder) namedFile() (File, bool) {
	r := b.g.r
	list := b.g.plain.fileNames()
	if len(list) == 0 {
		return File{}, false
	}
	f := File{Name: list[r.Intn(len(list))], Content: []string{"a", "b", "", "{}"}[r.Intn(4)]}
	if r.Chance(40) {
		f.Content = b.g.plain.known(r)
	}
	if r.Chance(15) {
		f.Name += "/" + usualFiles[0].Name // a folder that the text names
	}
	return f, true
}

// changeFiles changes the literal of a file system by one file.
func (b *builder) changeFiles(l *wire.Lit) {
	r := b.g.r
	n := len(l.E) / 2
	switch {
	case r.Chance(10):
		l.E[0].N ^= filesChanged
	case n > 0 && r.Chance(40):
		at := 1 + 2*r.Intn(n)
		l.E = append(l.E[:at:at], l.E[at+2:]...)
	case r.Chance(50):
		b.addNamedFile(l)
	default:
		b.addFile(l, usualFiles[r.Intn(len(usualFiles))])
	}
}

// fileNames are the texts that look like names of files or folders, as package fs has them.
func (p *Plain) fileNames() []string {
	if p.files == nil {
		p.files = []string{}
		for _, list := range p.texts {
			for _, s := range list {
				if name, ok := fileName(s); ok {
					p.files = append(p.files, name)
				}
			}
		}
	}
	return p.files
}

// fileName is what a text names in a file system. It reports whether it looks like the name of
// a file or a folder: like a path, a word with an ending, or one behind a dot, as settings are called.
func fileName(s string) (string, bool) {
	name, _, _ := strings.Cut(s, "?")
	name = strings.Trim(strings.TrimPrefix(name, "./"), "/")
	if name != s && strings.Contains(s, "://") || len(name) > longestName || !isFileName(name) || strings.ContainsAny(name, "*{}:|<>()\"'\\\n\t\r\x00 ") {
		return "", false
	}
	dot := strings.LastIndexByte(name, '.')
	ending := dot > 0 && dot < len(name)-1 && len(name)-dot <= 6
	hidden := dot == 0 && len(name) > 2 && !strings.ContainsAny(name[1:2], "0123456789")
	return name, ending || hidden || strings.Contains(s, "/")
}

// filePath is a path of a request for one of some files, for a folder of it, or for what is near
// one of these.
func filePath(r *Rand, names []string) string {
	name := names[r.Intn(len(names))]
	if i := strings.LastIndexByte(name, '/'); r.Chance(35) {
		name = name[:max(i, 0)]
	}
	path := "/" + escapedPath(name)
	switch r.Intn(12) {
	case 0, 1:
		path = strings.TrimSuffix(path, "/") + "/"
	case 2:
		path = "/.." + path
	case 3:
		path = path + "/../" + escapedPath(names[r.Intn(len(names))])
	case 4:
		path = "/" + path
	case 5:
		path = "/." + path
	case 6:
		path = strings.TrimSuffix(path, "/") + "/" + usualFiles[0].Name
	case 7:
		path = strings.TrimSuffix(path, "/"+usualFiles[0].Name)
		if path == "" {
			path = "/"
		}
	case 8:
		path = "/%2e%2e" + path
	case 9:
		path = "/" + strings.ReplaceAll(path[1:], "/", "%2F")
	}
	return path
}

// escapedPath is the name of a file as a URL has it.
func escapedPath(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = escaped(parts[i])
	}
	return strings.Join(parts, "/")
}

// fileFields are header fields of requests for files.
var fileFields = [][2]string{{"Range", "bytes=0-0"}, {"Range", "bytes=1-"}, {"Range", "bytes=-1"}, {"Range", "bytes=9-"}, {"Range", "bytes=0-0,2-2"},
	{"If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"}, {"If-Modified-Since", "Sun, 09 Sep 2001 01:46:40 GMT"},
	{"If-Modified-Since", "Thu, 01 Jan 1970 00:00:01 GMT"}, {"Accept-Encoding", "gzip"}}

// filesGiven are the names of the files of file systems that the sequence has, and of such as are
// made for its next call.
func (b *builder) filesGiven() []string {
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	b.p.Walk(func(_ int, l *wire.Lit) {
		for _, f := range filesIn(*l) {
			name, _ := f.Link()
			add(name)
		}
	})
	for _, name := range b.fileNames {
		add(name)
	}
	return out
}

// writtenFiles writes down a file system in memory of plain files, as a test gives it. It
// reports whether it is one. Package net/http stands around files in a struct of one field.
func (w *literalWriter) writtenFiles(v reflect.Value) (wire.Lit, bool) {
	if v.Kind() == reflect.Struct && v.NumField() == 1 && w.servedFilesType != nil && v.Type().PkgPath() == w.servedFilesType.PkgPath() {
		if v = v.Field(0); v.Kind() == reflect.Interface {
			v = v.Elem()
		}
	}
	if !v.IsValid() || v.Type() != filesType || v.Len() > recordedNodes {
		return wire.Lit{}, false
	}
	l := w.special(wire.SpecialFiles, wire.Lit{Form: wire.Int})
	var names []string
	for _, k := range v.MapKeys() {
		names = append(names, k.String())
	}
	sort.Strings(names)
	for _, name := range names {
		f := v.MapIndex(reflect.ValueOf(name))
		if f.IsNil() || !isFileName(name) || fs.FileMode(f.Elem().FieldByName("Mode").Uint()).Type() != 0 {
			continue // a folder, mostly
		}
		if !f.Elem().FieldByName("ModTime").IsZero() {
			l.E[0].N = filesChanged
		}
		l.E = append(l.E, w.text(name), w.text(string(f.Elem().FieldByName("Data").Bytes())))
	}
	return l, true
}
