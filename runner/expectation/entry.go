package expectation

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

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

// ofEntry returns the line of a text that a list has on head and lacks on base, where nothing else differs: what is registered, named
// or listed by the change is listed by those who ask.
func (e Edits) ofEntry(f event.Finding) *event.Expectation {
	gained := lengthened(f.Differs)
	if gained == 0 {
		return nil
	}
	more := map[string]int{} // values of elements, how many more head has
	for _, p := range f.Differs[1:] {
		more[p.Head]++
		more[p.Base]--
	}
	var where *event.Expectation
	for value, n := range more {
		text, err := strconv.Unquote(value)
		if n <= 0 || err != nil {
			continue // what only base has is the end of its list, when the differences were cut
		}
		at, ok := e.texts[text]
		if gained -= n; !ok || gained < 0 {
			return nil
		}
		x := event.Expectation{File: at.file, Line: at.line}
		if where == nil || cmp.Or(strings.Compare(x.File, where.File), cmp.Compare(x.Line, where.Line)) < 0 {
			where = &x
		}
	}
	return where
}

// lengthened returns by how many elements a list is longer on head, if all that differs is this list of texts. It returns 0 if there is
// another difference.
func lengthened(differs []event.PartDiffers) int {
	if len(differs) < 2 {
		return 0
	}
	list, ok := strings.CutPrefix(differs[0].Path, "len(")
	base, errBase := strconv.Atoi(differs[0].Base)
	head, errHead := strconv.Atoi(differs[0].Head)
	if !ok || errBase != nil || errHead != nil {
		return 0
	}
	list = strings.TrimSuffix(list, ")")
	for _, p := range differs[1:] {
		if !strings.HasPrefix(p.Path, list+"[") || !strings.HasPrefix(p.Head, `"`) {
			return 0
		}
	}
	return max(head-base, 0)
}
