package ison

import (
	"context"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
)

// faults measures one subject for Table 3.
func (w *evaluation) faults(ctx context.Context, name string) (faultRow, error) {
	began := time.Now()
	row := faultRow{subject: name}
	f, err := w.makeFaulty(ctx, name)
	if err != nil {
		return row, err
	}
	built := time.Since(began)
	base, err := w.Lab()
	if err != nil {
		return row, err
	}
	ground, err := f.lay(ctx, base, w.opt.both)
	if err != nil {
		return row, err
	}
	laid := time.Since(began) - built
	for _, reason := range ground.setAside {
		w.Say("  set aside in %s: %s", name, reason)
	}
	row.made, row.all = len(f.mutants), len(f.held)
	for _, m := range f.mutants {
		switch {
		case m.Structural:
			row.structural++
		case m.Plain:
			row.plain++
		}
	}
	row.tests, row.setAside, row.variants = len(ground.tests), len(ground.setAside), ground.count
	row.baseCut = ground.cut
	survivors := f.survivors()
	found := make([]detection, len(survivors))
	err = mutant.Each(ctx, survivors, func(ctx context.Context, i int, m mutant.Mutant) (err error) {
		found[i], err = w.try(ctx, f, ground, m)
		return err
	})
	if err != nil {
		return row, err
	}
	for i, m := range survivors {
		row.add(found[i])
		if w.opt.survivors {
			w.Say("  %s: %s: %+v", name, m, found[i])
		}
	}
	row.seconds = time.Since(began).Seconds()
	w.Say("  %s: mutants and build %.1fs, base %.1fs, %d survivors; %v", name, built.Seconds(), laid.Seconds(), len(survivors), row.cells())
	return row, nil
}

func (w *evaluation) try(ctx context.Context, f *faulty, ground *foundation, m mutant.Mutant) (detection, error) {
	matched, changed, err := f.match(ctx, m)
	if err != nil {
		return detection{}, err
	}
	if !changed {
		return detection{Same: true}, nil
	}
	lab, err := w.Lab()
	if err != nil {
		return detection{}, err
	}
	t := newTrial(f, ground, m, matched, lab)
	err = t.run(ctx, w.opt.perMutant, w.opt.both)
	return t.found, err
}
