package calls

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// checkPrinted asserts what the last call writes to a stream. The test has the stream lead
// to a file meanwhile, for all who hold it, as package probe does: the default logger was
// given os.Stderr before the test began.
func (f *testFile) checkPrinted() (check, error) {
	b, h, ok := f.telling()
	if !ok {
		return check{}, fmt.Errorf("%s: %w", f.Function, ErrNoView)
	}
	for i, name := range []string{"file", "before", "err", "now"} {
		f.printing[i] = f.unused(name)
	}
	file, before, err, now := f.printing[0], f.printing[1], f.printing[2], f.printing[3]
	stream := wire.Qualifier("os") + f.Code.Stream
	got, label := "string(got)", f.label
	verb, want := "%q", b.Literal
	if b.Expr != wire.SubjectMark {
		got, verb = "len(got)", "%d bytes"
	}
	where := "os." + f.Code.Stream
	c := check{says: fmt.Sprintf("%s writes %s to %s with %s and %s with %s", oneLine(label), oneLine(b.Literal), where, f.Base, oneLine(h.Literal), f.Head)}
	if b.Expr != wire.SubjectMark {
		c.says = fmt.Sprintf("%s writes %s bytes to %s with %s and %s with %s", oneLine(label), b.Literal, where, f.Base, h.Literal, f.Head)
	}
	c.before = []string{
		file + ", " + err + " := " + wire.Qualifier("os") + "Create(" + wire.Qualifier("path/filepath") + "Join(t.TempDir(), " + strconv.Quote("printed") + "))",
		"if " + err + " != nil {", "t.Fatal(" + err + ")", "}",
		"func() {",
		"// " + where + " leads to the file, for all who hold it since the start.",
	}
	if f.Code.Stream == "Stderr" {
		start := "stderr_" + shortID(f.ID)
		c.declares = []string{"", "// With -json, package testing has os.Stderr be os.Stdout after the start.", "var " + start + " = " + stream}
		c.before = append(c.before, before+", "+now+" := *"+start+", "+stream,
			"defer func() { *"+start+", "+stream+" = "+before+", "+now+" }()",
			"*"+start+", "+stream+" = *"+file+", "+start)
	} else {
		c.before = append(c.before, before+" := *"+stream, "defer func() { *"+stream+" = "+before+" }()", "*"+stream+" = *"+file)
	}
	c.after = []string{
		"}()",
		"got, " + err + " := " + wire.Qualifier("os") + "ReadFile(" + file + ".Name())",
		"if " + err + " != nil {", "t.Fatal(" + err + ")", "}",
	}
	if verb == "%q" {
		c.after = append(c.after, "const want = "+want, "if "+got+" != want {", f.errorf(label+" writes %q, want %q", "got", "want"), "}")
	} else {
		c.after = append(c.after, "if "+got+" != "+want+" {", f.errorf(label+" writes %q, want "+want+" bytes", "got"), "}")
	}
	return c, nil
}

// telling is the first view in which the versions differ, as base and as head show it.
func (f *testFile) telling() (base, head wire.View, ok bool) {
	for _, v := range f.BaseViews.List {
		i := slices.IndexFunc(f.HeadViews.List, func(w wire.View) bool { return w.Style == v.Style && w.Expr == v.Expr })
		if i >= 0 && !v.Address && !f.HeadViews.List[i].Address && f.HeadViews.List[i].Literal != v.Literal {
			return v, f.HeadViews.List[i], true
		}
	}
	return base, head, false
}

// unused is a name that neither the statements nor the package have.
func (f *testFile) unused(name string) string {
	for slices.Contains(f.Code.Vars, name) || f.inPackage(name) {
		name += "_"
	}
	return name
}
