package harness

import (
	"encoding/json"
	"encoding/xml"
	"reflect"
	"testing"
	"time"
)

type addressOf struct {
	City string `json:"city" xml:"city,attr"`
}

type nextOf struct {
	Next *nextOf `json:"next" xml:"next"`
	N    float64 `xml:",chardata"`
}

type answerOf struct {
	XMLName xml.Name          `json:"-" xml:"answer"`
	Names   []string          `json:"names" xml:"list>name"`
	Count   *int64            `json:"count,omitempty" xml:"count"`
	Extra   map[string]uint8  `json:"extra" xml:"-"`
	At      time.Time         `json:"at" xml:"at"`
	Inner   *addressOf        `json:"inner" xml:"inner"`
	Any     any               `json:"any" xml:"-"`
	Next    *nextOf           `json:"next" xml:"next"`
	Call    func()            `json:"call" xml:"-"`
	Kept    map[string]string `json:"kept" xml:"-"`
	addressOf
}

// Documents of a type are what its decoder takes, and fill each of its fields now and then.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		key    string
		decode func([]byte, any) error
		want   []string
	}{
		{"json", json.Unmarshal, []string{"Names", "Count", "Extra", "At", "Inner", "Any", "Next", "Kept", "addressOf"}},
		{"xml", xml.Unmarshal, []string{"Names", "Count", "At", "Inner", "Next", "addressOf"}},
	} {
		t.Run(test.key, func(t *testing.T) {
			r := newRegistry()
			r.documents = []document{{reflect.TypeOf(answerOf{}), []string{test.key}}}
			b := newGenerator(NewMachine(r), NewPlain(), 1).builder(nil)
			filled, failed, n := map[string]bool{}, 0, 0
			for range 3000 {
				s := b.document("")
				if s == "" {
					continue
				}
				n++
				var to answerOf
				if err := test.decode([]byte(s), &to); err != nil {
					if failed++; test.key == "json" && !json.Valid([]byte(s)) {
						t.Fatalf("%v: %s", err, s)
					}
					continue
				}
				for i, v := 0, reflect.ValueOf(to); i < v.NumField(); i++ {
					if !v.Field(i).IsZero() {
						filled[v.Type().Field(i).Name] = true
					}
				}
			}
			if n < 1000 || failed > n/2 {
				t.Errorf("%d documents, %d of them are not taken", n, failed)
			}
			for _, name := range test.want {
				if !filled[name] {
					t.Errorf("no document fills %s", name)
				}
			}
		})
	}
}

type (
	listOfItself    []listOfItself
	pointerToItself *pointerToItself
	HoldsItself     struct {
		List listOfItself    `json:"list" xml:"list"`
		To   pointerToItself `json:"to" xml:"to"`
		Next **HoldsItself   `json:"next" xml:"next"`
		*HoldsItself
	}
)

// A type that holds itself has documents, and each comes to an end.
func TestDocumentsOfEndlessTypes(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	for _, x := range []any{HoldsItself{}, listOfItself{}, new(pointerToItself), struct{ L listOfItself }{}} {
		r.addType(reflect.TypeOf(x))
	}
	b := newGenerator(NewMachine(r), NewPlain(), 1).builder(nil)
	for range 2000 {
		if s := b.document(""); len(s) > maxText {
			t.Fatalf("%d bytes", len(s))
		}
	}
}

// A type without tags of a decoder has no documents, and what has some is found among the registered ones.
func TestDocumentsOfRegistry(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	r.addType(reflect.TypeOf(struct{ A int }{}))
	b := newGenerator(NewMachine(r), NewPlain(), 1).builder(nil)
	if s := b.document(""); s != "" {
		t.Errorf("a document of a type without tags: %s", s)
	}
	r = newRegistry()
	r.given = append(r.given, r.addType(reflect.TypeOf(func(*addressOf) {})))
	b = newGenerator(NewMachine(r), NewPlain(), 1).builder(nil)
	var to addressOf
	for range 100 {
		if json.Unmarshal([]byte(b.document("")), &to); to.City != "" {
			return
		}
	}
	t.Error("no document fits what a function takes")
}
