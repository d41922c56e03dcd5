package publish

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// worst are the shapes of streams that cost most for their size: each writes events
// until the stream is full.
func worst() map[string]func(w *filling) {
	changed := func(w *filling, n int) {
		m := event.Match{}
		for i := range n {
			m.Changed = append(m.Changed, event.ChangedItem{Function: fmt.Sprintf("F%d", i), Status: "changed", File: "f.go", Line: 1})
		}
		w.emit(m)
	}
	plain := func(i int) event.Finding {
		return event.Finding{ID: fmt.Sprint(i), Cluster: fmt.Sprint(i), Rung: event.Observed, Suite: "head", Package: "m", Test: "T", Kind: "value",
			Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
	}
	relation := func(i int, function string, state event.RelationState) event.Relation {
		return event.Relation{ID: fmt.Sprint(i), Function: function, Package: "m", Name: "n", Relation: "r", Source: event.Declared, State: state, Groups: 1}
	}
	return map[string]func(w *filling){
		"findings of one cluster": func(w *filling) {
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Cluster = "c"
				w.emit(f)
			}
		},
		"clusters": func(w *filling) {
			for i := 0; w.room(); i++ {
				w.emit(plain(i))
			}
		},
		"reached clusters": func(w *filling) {
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Rung, f.Origin, f.Input, f.GoTest, f.Component = event.Reached, "plain", "x := F(1)\ny := x.G()\ny.H(x)", "package m\n", "result"
				w.emit(f)
			}
		},
		"forced clusters": func(w *filling) {
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Rung, f.Negations = event.Forced, slices.Repeat([]event.Negation{{ID: "n", Text: "a < b", Match: "strict"}}, 20)
				w.emit(f)
			}
		},
		"names that nothing changed has": func(w *filling) {
			changed(w, w.size/100)
			for i := 0; w.room(); i++ {
				f := plain(i)
				for k := range 200 {
					f.Changed = append(f.Changed, fmt.Sprintf("G%d_%d", i, k))
				}
				w.emit(f)
			}
		},
		"the same changed names": func(w *filling) {
			changed(w, w.size/200)
			for i := 0; w.room(); i++ {
				f := plain(i)
				for k := range 200 {
					f.Changed = append(f.Changed, fmt.Sprintf("F%d", k+i%7))
				}
				w.emit(f)
			}
		},
		"changed names alike in all modules": func(w *filling) {
			m := event.Match{}
			for range w.size / 400 {
				m.Changed = append(m.Changed, event.ChangedItem{Function: "F", Status: "changed", File: "f.go", Line: 1})
			}
			w.emit(m)
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Changed = []string{"F"}
				w.emit(f)
			}
		},
		"relations of one function": func(w *filling) {
			for i := 0; w.used() < w.size/2; i++ {
				w.emit(relation(i, "F", event.Kept))
			}
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Changed = []string{"F", fmt.Sprint("G", i)}
				w.emit(f)
			}
		},
		"broken relations": func(w *filling) {
			for i := 0; w.room(); i++ {
				r := relation(i, fmt.Sprint("F", i), event.Broken)
				r.Counterexample = []event.RelatedCall{{Call: "F(1)", Base: "1", Head: "2"}}
				w.emit(r)
			}
		},
		"modules": func(w *filling) {
			for i := 0; i < 190 && w.room(); i++ {
				w.emit(event.Versions{Base: event.Side{Commit: base}, Head: event.Side{Commit: head}, Module: strings.Repeat("m", 1+i), ModuleDir: "."})
			}
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Package = strings.Repeat("m", 100) + "/" + fmt.Sprint("p", i)
				w.emit(f)
			}
		},
		"limits": func(w *filling) {
			for i := 0; w.room(); i++ {
				w.emit(event.Limit{Kind: event.LimitKind(fmt.Sprint("k", i)), What: "w", Reason: fmt.Sprint("r", i)})
			}
		},
		"missing shards": func(w *filling) {
			for i := 0; w.room(); i++ {
				w.emit(event.Limit{Kind: "shard", What: fmt.Sprint("w", i), Reason: "r"})
			}
		},
		"adequacies": func(w *filling) {
			for i := 0; w.room(); i++ {
				w.emit(event.Adequacy{Scope: "function", Name: fmt.Sprint("F", i), Criterion: event.KMRBranch, K: 3, Head: &event.Met{Met: 1, Of: 2}})
			}
		},
		"targets": func(w *filling) {
			for i := 0; w.room(); i++ {
				w.emit(event.Target{Function: fmt.Sprint("F", i), Package: "m", Role: "changed", State: event.Ineligible, Reason: fmt.Sprint("r", i), Banned: []string{"v"}})
			}
		},
		"unstable tests": func(w *filling) {
			for i := 0; w.room(); i++ {
				b := event.Baseline{Suite: "head", Package: fmt.Sprint("m", i), Tests: 1}
				for k := range 100 {
					b.Unstable = append(b.Unstable, fmt.Sprintf("T%d: reason %d", k, k+i))
				}
				w.emit(b)
			}
		},
		"graphs": func(w *filling) {
			for i := 0; w.room(); i++ {
				g := event.Graph{Package: "m", Function: fmt.Sprint("F", i), Status: "changed"}
				for k := range event.MaxGraphNodes {
					g.Head.Nodes = append(g.Head.Nodes, event.Node{Kind: "block", Text: "x"})
					for e := range 4 {
						g.Head.Edges = append(g.Head.Edges, event.Edge{From: k, To: (k*(e+7) + 13*e) % event.MaxGraphNodes})
					}
				}
				w.emit(g)
			}
		},
		"long values": func(w *filling) {
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Base.Value = strings.Repeat("a\nb\n", 100_000)
				f.Head.Value = strings.Repeat("b\na\n", 100_000)
				w.emit(f)
			}
		},
		"values of one line": func(w *filling) {
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Base.Value = strings.Repeat("ab", 200_000)
				f.Head.Value = strings.Repeat("ba", 200_000)
				f.Base.Message, f.Head.Message = f.Head.Value, f.Base.Value
				w.emit(f)
			}
		},
		"policy": func(w *filling) {
			c := event.Config{Version: event.Version, FailOn: []string{"observed"}}
			for range event.MaxPatterns / 2 {
				c.Policy = append(c.Policy, event.PolicyRule{Packages: []string{"./a...b...c", "...z..."}, FailOn: []string{}})
			}
			w.config = c
			for i := 0; w.room(); i++ {
				f := plain(i)
				f.Package = fmt.Sprintf("m/a/b%d", i)
				w.emit(f)
			}
		},
		"explored branches": func(w *filling) {
			w.summary.ExploredBranches = map[string]event.Ranges{}
			n := 0
			for pkg := 0; w.used()+n < w.size; pkg++ {
				var list []int
				for i := range 10_000 {
					list = append(list, 2*i)
				}
				r := event.RangesOf(list)
				n += len(r)
				w.summary.ExploredBranches[fmt.Sprint("m", pkg)] = r
			}
		},
	}
}

// filling is a stream that is made as large as it may be.
type filling struct {
	size    int
	lines   bytes.Buffer
	config  event.Config
	summary event.Summary
}

func (w *filling) emit(e event.Event) {
	line, err := event.Marshal(e)
	if err != nil {
		panic(err)
	}
	w.lines.Write(line)
}

func (w *filling) used() int  { return w.lines.Len() }
func (w *filling) room() bool { return w.used() < w.size }

// stream returns a whole stream of about size bytes.
func (w *filling) stream(shape func(*filling)) []byte {
	w.config = event.Config{Version: event.Version}
	w.summary = event.Summary{Tests: 1, Branches: 9, Covered: 1, Verdict: event.Differences}
	shape(w)
	body := w.lines.Bytes()
	w.lines = bytes.Buffer{}
	w.emit(w.config)
	w.emit(event.Versions{Base: event.Side{Commit: base}, Head: event.Side{Commit: head}, Module: "m", ModuleDir: "."})
	w.lines.Write(body)
	w.emit(w.summary)
	return w.lines.Bytes()
}

// renderAll does what publish does with a stream, but for GitHub: it reads it, judges
// it, and makes comment, check and files. A stream may be refused.
func renderAll(dir string, text []byte) error {
	s, err := event.ReadStream(bytes.NewReader(text), maxStream)
	if err != nil {
		return err
	}
	acceptance.Apply(s, []acceptance.Entry{{ID: "00000000", Reason: "r", From: acceptance.FromConfig}}, time.Now())
	view := present.View{Repository: "https://github.example/octo/lib", Run: "https://github.example/octo/lib/actions/runs/1"}
	if _, err := view.Comment(s, false); err != nil {
		return err
	}
	if _, err := view.Check(s, policy.Decide(policy.Of(s.Config), s)); err != nil {
		return err
	}
	_, err = action.WriteFiles(dir, s, view)
	return err
}

// TestWorstStreams: a hostile stream costs no more than its size explains: at most
// a thousand bytes of memory for each of its own; half of that has been seen.
// [BenchmarkWorstStreams] shows the time. It runs alone, since memory is counted for
// the whole process.
func TestWorstStreams(t *testing.T) {
	shapes := worst()
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		t.Run(name, func(t *testing.T) {
			text := (&filling{size: 200_000}).stream(shapes[name])
			dir := t.TempDir()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := renderAll(dir, text) // a stream may be refused
			runtime.ReadMemStats(&after)
			allocated := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes: %d of memory, error %v", len(text), allocated, err)
			if allocated > 1000*uint64(len(text)) {
				t.Errorf("%d bytes of a stream need %d of memory", len(text), allocated)
			}
		})
	}
}

// BenchmarkWorstStreams renders hostile streams of 200,000 bytes. With
// ISODELTA_WORST=20 they have 20 MB, and each is to take less than half a
// minute: -benchtime=1x is enough to see it.
func BenchmarkWorstStreams(b *testing.B) {
	size := 200_000
	if mb, err := strconv.Atoi(os.Getenv("ISODELTA_WORST")); err == nil {
		size = mb * 1_000_000
	}
	shapes := worst()
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		text := (&filling{size: size}).stream(shapes[name])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = renderAll(b.TempDir(), text) // a stream may be refused
			}
		})
	}
}
