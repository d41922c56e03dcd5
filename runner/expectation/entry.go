package expectation

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// addedText is a text in a line of code that the change adds. The file on base does not contain it.
type addedText struct {
	file string
	line int // on head
}

// minEntry is the number of characters from which a text tells what a list gained.
const minEntry = 3

// addedTexts adds the texts in added lines of code that the file on base does not contain. line is the number of the first added line.
func addedTexts(to map[string]addedText, file string, line int, added []string, before string) {
	for i, text := range added {
		for x := range literalsOf(text) {
			if _, known := to[x.text]; known || !x.quoted || utf8.RuneCountInString(x.text) < minEntry || strings.Contains(before, strconv.Quote(x.text)) {
				continue
			}
			to[x.text] = addedText{file, line + i}
		}
	}
}

// itsType matches the declaration of a type.
var itsType = lazyregexp.New(`^type (\w+)[ \[]`)

// addedTypes adds the types that added lines declare, and that the file on base does not. line is the number of the first added line.
func addedTypes(to map[string]addedText, file string, line int, added []string, before string) {
	for i, text := range added {
		if m := itsType().FindStringSubmatch(text); m != nil && !strings.Contains(before, "type "+m[1]) {
			to[m[1]] = addedText{file, line + i}
		}
	}
}

// ofEntry returns the added line with the text of an entry that a list has on head only. Nothing else may differ. A change that
// registers something adds it to each list of what is registered.
func (e Edits) ofEntry(f event.Finding) *event.Expectation {
	list, was, gained := lengthened(f.Differs)
	if gained == 0 {
		return nil
	}
	if x := e.ofElement(f.Differs[1:], list, was); x != nil {
		return x
	}
	if x := e.ofShift(f.Differs[1:], list); x != nil {
		return x
	}
	more := map[string]int{} // how many more of each value head has
	for _, p := range f.Differs[1:] {
		if !strings.HasPrefix(p.Path, list+"[") || !strings.HasPrefix(p.Head, `"`) {
			return nil
		}
		more[p.Head]++
		more[p.Base]--
	}
	var where *event.Expectation
	for value, n := range more {
		if n <= 0 {
			continue // differences were cut, so the end of base's list has no partner
		}
		x := e.added(value)
		if gained -= n; x == nil || gained < 0 {
			return nil
		}
		if where == nil || before(x, where) {
			where = x
		}
	}
	return where
}

// ofElement returns the added line with a text of an element at the end of a list, or with the declaration of its type. The list has was
// elements on base. It returns nil if one of the new elements has no such line, or if something else differs.
func (e Edits) ofElement(parts []event.PartDiffers, list string, was int) *event.Expectation {
	found := map[int]*event.Expectation{} // by element
	for _, p := range parts {
		n, part, ok := elementOf(list, p.Path)
		if !ok || n < was {
			return nil
		}
		if found[n] == nil {
			found[n] = e.added(p.Head)
		}
		if found[n] == nil && part == ".(type)" {
			found[n] = e.declared(p.Head)
		}
	}
	for _, x := range found {
		if x == nil {
			return nil
		}
	}
	return found[was]
}

// ofShift returns the added line with a text of an element that a list has in front of one of base's, which has this text in the same
// part. Nothing but elements of the list may differ.
func (e Edits) ofShift(parts []event.PartDiffers, list string) *event.Expectation {
	heads := map[string]string{}
	for _, p := range parts {
		if _, _, ok := elementOf(list, p.Path); !ok {
			return nil
		}
		heads[p.Path] = p.Head
	}
	for _, p := range parts {
		n, part, _ := elementOf(list, p.Path)
		if next := fmt.Sprintf("%s[%d]%s", list, n+1, part); part != "" && p.Base != "" && heads[next] == p.Base {
			if x := e.added(p.Head); x != nil {
				return x
			}
		}
	}
	return nil
}

// elementOf returns the number of an element of a list, and what follows it in a path. It reports whether the path leads to one.
func elementOf(list, path string) (n int, part string, ok bool) {
	rest, ok := strings.CutPrefix(path, list+"[")
	index, part, closed := strings.Cut(rest, "]")
	n, err := strconv.Atoi(index)
	return n, part, ok && closed && err == nil
}

// declared returns the line that declares a type, which is given as values tell of it. It returns nil if the change declares none of this name.
func (e Edits) declared(value string) *event.Expectation {
	at, ok := e.types[value[strings.LastIndexAny(value, ".*")+1:]]
	if !ok {
		return nil
	}
	return &event.Expectation{File: at.file, Line: at.line}
}

// ofSight returns the added line with a text of a value that a test sees on head only. All texts of the value that are long enough
// are in added code: the test comes by what the change adds.
func (e Edits) ofSight(f event.Finding) *event.Expectation {
	if f.Rung != event.Observed || f.Base.Value != event.ValueNotSeen {
		return nil
	}
	var where *event.Expectation
	for x := range literalsOf(f.Head.Value) {
		if !x.quoted || utf8.RuneCountInString(x.text) < minEntry {
			continue
		}
		at := e.added(strconv.Quote(x.text))
		if at == nil {
			return nil
		}
		if where == nil || before(at, where) {
			where = at
		}
	}
	return where
}

// before reports whether a line is listed before another one.
func before(a, b *event.Expectation) bool {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) < 0
}

// added returns the line that adds a text, which is given in quotes. It returns nil if there is none.
func (e Edits) added(value string) *event.Expectation {
	text, err := strconv.Unquote(value)
	if err != nil {
		return nil
	}
	at, ok := e.texts[text]
	if !ok {
		return nil
	}
	return &event.Expectation{File: at.file, Line: at.line}
}

// lengthened returns the path of a list that is longer on head, its length on base, and by how many elements it is longer. gained
// is 0 if the first difference is no such list.
func lengthened(differs []event.PartDiffers) (list string, was, gained int) {
	if len(differs) < 2 {
		return "", 0, 0
	}
	list, ok := strings.CutPrefix(differs[0].Path, "len(")
	was, errBase := strconv.Atoi(differs[0].Base)
	head, errHead := strconv.Atoi(differs[0].Head)
	if !ok || errBase != nil || errHead != nil {
		return "", 0, 0
	}
	return strings.TrimSuffix(list, ")"), was, max(head-was, 0)
}
