package calls

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"syscall"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

// rate is how many calls were compared in how much time. A call that is
// compared is made twice, once for each version.
type rate struct {
	calls     int
	processor time.Duration // of all processes together, user and system
	wall      time.Duration
}

// each is calls for each second on one core.
func (r rate) each() float64 {
	if r.calls == 0 || r.processor <= 0 {
		return math.NaN()
	}
	return float64(r.calls) / r.processor.Seconds()
}

// throughputRow is a subject's row.
type throughputRow struct {
	subject   string
	methods   bool // the subject has types with methods, so that sequences are made
	programs  int  // sequences
	generated rate
	inPlace   rate
	entered   int     // functions with a call in place
	hooks     int     // functions hooked
	overhead  float64 // processor time of the suite with hooks, which are off, over that without
}

// throughput lets a subject call itself: both versions run the same binary.
func (w *evaluation) throughput(ctx context.Context, name string) (throughputRow, error) {
	row := throughputRow{subject: name}
	t, err := w.Subject(ctx, name)
	if err != nil {
		return row, err
	}
	r, err := w.Rig(ctx, t, rig.Rigging{Calls: true, Seeded: true})
	if err != nil {
		return row, err
	}
	lab, err := w.Lab()
	if err != nil {
		return row, err
	}
	row.hooks = len(r.Hooks.Names)
	if err := w.generate(ctx, r, lab, &row); err != nil {
		return row, fmt.Errorf("generated calls: %w", err)
	}
	if err := w.amplify(ctx, r, lab, &row); err != nil {
		return row, fmt.Errorf("calls in place: %w", err)
	}
	row.overhead, err = w.overhead(ctx, r)
	return row, err
}

// stopwatch reads the processor time of this process and of those that it has
// waited for.
type stopwatch struct {
	processor time.Duration
	wall      time.Time
}

func startWatch() (stopwatch, error) {
	s := stopwatch{wall: time.Now()}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return s, fmt.Errorf("processor time: %w", err)
		}
		s.processor += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return s, nil
}

// spent is what has passed; processes that still run are not in it.
func (s stopwatch) spent(calls int) (rate, error) {
	now, err := startWatch()
	return rate{calls: calls, processor: now.processor - s.processor, wall: now.wall.Sub(s.wall)}, err
}

// generate makes calls of our own for a while. The start of both processes is
// part of the time.
func (w *evaluation) generate(ctx context.Context, r *rig.Rig, lab *execute.Lab, row *throughputRow) error {
	roles := map[wire.Op]wire.Role{}
	for at, op := range r.API.All() {
		if op.Exported && !op.Variable && op.Declared() {
			roles[at] = wire.Changed
			row.methods = row.methods || len(op.Name) > 0 && (op.Name[0] == '(' || slices.Contains([]byte(op.Name), '.'))
		}
	}
	literals := surface.CollectLiterals(r.Tree, r.Tree, r.Tree.Packages[0].Path, surface.Change{}, nil)
	watch, err := startWatch()
	if err != nil {
		return err
	}
	c := calls.NewSearch(lab, r.Target(""), r.Target(""), r.API, literals, roles, w.opt.seed)
	defer c.Close()
	if err := c.Open(ctx); err != nil {
		return err
	}
	for until := time.Now().Add(w.opt.calling); time.Now().Before(until); {
		more, err := c.Round(ctx)
		if err != nil {
			return err
		}
		if !more {
			break // nothing new came for long
		}
	}
	c.Close()
	row.programs = c.Sequences
	row.generated, err = watch.spent(c.Calls)
	return err
}

// amplify runs each test on both sides, with calls in place. The time holds
// that of starting the processes and of the tests themselves, as in the engine.
func (w *evaluation) amplify(ctx context.Context, r *rig.Rig, lab *execute.Lab, row *throughputRow) error {
	watch, err := startWatch()
	if err != nil {
		return err
	}
	until := time.Now().Add(2 * w.opt.calling)
	compared := 0
	entered := map[int]bool{}
	for _, t := range r.Suite.Tests {
		if t.Reason != "" || time.Now().After(until) {
			continue
		}
		var made [2][]wire.Call
		for i := range made {
			if made[i], err = amplified(ctx, lab, r.Target(t.Name), w.opt.seed); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
		}
		other := map[[2]uint64]bool{}
		for _, c := range made[1] {
			other[[2]uint64{uint64(c.Hook), c.Key}] = true
		}
		for _, c := range made[0] {
			if other[[2]uint64{uint64(c.Hook), c.Key}] {
				compared++
				entered[c.Hook] = true
			}
		}
		nothing := func(int, int) bool { return false }
		for _, d := range calls.CompareCalls(made[0], made[1], nothing) {
			w.Say("  %s: in place, %s differs from itself in %v (ending %v, %v), key %x", t.Name, r.Hooks.Names[d.Hook], d.Components, d.Base, d.Head, d.Key)
		}
	}
	row.entered = len(entered)
	row.inPlace, err = watch.spent(compared)
	return err
}

// amplified runs a test once and gives the calls made in place; none if the
// test's process ended.
func amplified(ctx context.Context, lab *execute.Lab, t execute.Target, seed uint64) ([]wire.Call, error) {
	s := lab.Session(t)
	defer s.Close()
	const fuel = int64(1) << 60
	got, err := s.Do(ctx, execute.Command{Fuel: fuel, Watch: wire.ModeAmplify, Seed: seed})
	if err != nil || got.Outcome == event.Died || got.Outcome == event.Hung || len(got.Extra) == 0 {
		return nil, err
	}
	calls, _, err := wire.DecodeCalls(got.Extra)
	return calls, err
}

func (r throughputRow) cells() []string {
	kind := "plain"
	if r.methods {
		kind = "sequence"
	}
	return figure.Row(r.subject, kind, r.programs, figure.Decimal(figure.Proportion(r.generated.calls, r.programs), 1), r.generated.calls, figure.Decimal(r.generated.each(), 0),
		r.inPlace.calls, figure.Decimal(r.inPlace.each(), 0), fmt.Sprintf("%d of %d", r.entered, r.hooks), figure.Decimal(r.overhead, 3))
}

func reportThroughput(out io.Writer, f *figure.Set, rows []throughputRow) error {
	lines := [][]string{{"Subject", "kind", "programs", "calls each", "calls", "calls/s", "in place", "calls/s", "functions entered", "hooks off / none"}}
	var plain, sequences, inPlace, overhead []float64
	for _, r := range rows {
		lines = append(lines, r.cells())
		if r.methods {
			sequences = append(sequences, r.generated.each())
		} else {
			plain = append(plain, r.generated.each())
		}
		inPlace = append(inPlace, r.inPlace.each())
		overhead = append(overhead, r.overhead)
	}
	for _, x := range []struct {
		name   string
		values []float64
	}{{"plain", plain}, {"sequence", sequences}, {"in_place", inPlace}} {
		f.Number("calls.throughput."+x.name+".median", figure.Median(x.values))
		f.Number("calls.throughput."+x.name+".least", figure.Least(x.values))
	}
	f.Number("calls.overhead.geomean", figure.GeometricMean(overhead))
	f.Number("calls.overhead.median", figure.Median(overhead))
	lines = append(lines, []string{"geometric mean", "", "", "", "", "", "", "", "", figure.Decimal(figure.GeometricMean(overhead), 3)})
	return figure.Table(out, "Throughput: calls compared, made on both versions, for each second of processor time of all processes; and the suite's processor time with hooks that are off over that without hooks", lines)
}
