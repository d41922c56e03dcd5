//go:build go1.21

package gosource

import (
	"reflect"
	"strings"
)

// recodedSource is what a test declares in place of an operation of harness.Recode: NAME and TYPE stand for what they say.
const recodedSource = `// NAME is a document that is decoded into a TYPE and encoded again.
func NAME(text string) (string, error) {
	var v TYPE
	if err := (encoding/json)Unmarshal([]byte(text), &v); err != nil {
		return "", err
	}
	b, err := (encoding/json)Marshal(&v)
	return string(b), err
}
`

// recoded names the function that decodes into a type and encodes again.
func (w *writer) recoded(name string, t reflect.Type) string {
	source := strings.NewReplacer("a TYPE", "a "+t.Name(), "NAME", name, "TYPE", w.typ(t)).Replace(recodedSource)
	return w.declaring(name, source, "encoding/json")
}
