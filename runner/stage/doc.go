// Package stage has what every stage of a run is given beside its own input: where
// events go, the laboratory, the plan of the time with its clock, and what makes a
// run repeatable.
//
// A stage is a package below runner that takes values and returns values: building
// (build), matching, the baseline, confirming, exploring negations (explore), calls,
// checking relations (check), coverage. Each can be called and tested without the
// others. Package runner brings them into their order.
//
// # What it cannot do
//
// It holds no result of any stage. Counts for the summary are returned by the
// stages, and added up by package runner.
package stage
