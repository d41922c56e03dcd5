package event

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Merge joins the streams of the shards of one comparison (--shard i/n) into
// the stream that an undivided run would have written, as far as that can be:
// timings are added up, and the limits say what a shard could not do. The
// result does not depend on the order of the arguments.
//
// It is an error to merge streams that are no shards, shards of different
// divisions, versions or settings, or the same shard twice. It is no error when
// a shard is missing or was cut off: a Limit of kind "shard" names it, and the
// verdict is Incomplete.
func Merge(streams ...*Stream) (*Stream, error) {
	shards, err := sortShards(streams)
	if err != nil {
		return nil, err
	}
	first, err := sameComparison(shards)
	if err != nil {
		return nil, err
	}
	merged := &Stream{
		Config:    mergeConfigs(shards),
		Versions:  first.Versions,
		Matches:   first.Matches,
		Baselines: mergeBaselines(shards),
		Targets:   mergeTargets(shards),
		Findings:  mergeFindings(shards),
		Skipped:   mergeSkipped(shards),
	}
	relations, left := mergeRelations(shards, merged.Findings)
	merged.Relations = relations
	merged.Phases = mergePhases(shards)
	merged.Graphs = mergeGraphs(shards, merged.Findings)
	missing := missingShards(shards)
	merged.Limits = append(mergeLimits(shards, missing), leftOut(left)...)
	merged.Summary = mergeSummaries(shards, merged, len(missing) > 0)
	merged.Adequacies = mergeAdequacies(shards, merged.Summary)
	return merged, nil
}

// shard is a stream with its place in the division.
type shard struct {
	Shard
	*Stream
}

// name is how a message calls the stream.
func (s shard) name() string {
	if s.Source != "" {
		return fmt.Sprintf("shard %v (%s)", s.Shard, s.Source)
	}
	return fmt.Sprintf("shard %v", s.Shard)
}

func sortShards(streams []*Stream) ([]shard, error) {
	if len(streams) == 0 {
		return nil, errors.New("nothing to merge: name the streams of the shards")
	}
	var shards []shard
	for i, s := range streams {
		source := s.Source
		if source == "" {
			source = fmt.Sprintf("stream %d", i+1)
		}
		if s.Config.Version == 0 {
			return nil, fmt.Errorf("%s holds no config event, so it is not known which shard it is; leave it out, and the merged report will name the shard that is missing", source)
		}
		if s.Config.Shard == "" {
			return nil, fmt.Errorf("%s is no shard: it holds a whole comparison; merge joins what --shard i/n wrote", source)
		}
		place, err := ParseShard(s.Config.Shard)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		shards = append(shards, shard{place, s})
	}
	slices.SortStableFunc(shards, func(a, b shard) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), strings.Compare(a.Source, b.Source))
	})
	for i := 1; i < len(shards); i++ {
		a, b := shards[i-1], shards[i]
		if a.Count != b.Count {
			return nil, fmt.Errorf("%s and %s are of different divisions; run every job with the same number of shards", a.name(), b.name())
		}
		if a.Index == b.Index {
			return nil, fmt.Errorf("%s and %s are the same shard; name each once", a.name(), b.name())
		}
	}
	return shards, nil
}

// sameComparison fails where two shards did not do parts of the same work, and
// returns the stream that names most of it. Another stream must name the same;
// one that was cut off may have got less far.
func sameComparison(shards []shard) (shard, error) {
	first := shards[0]
	for _, s := range shards {
		if err := sameSettings(shards[0], s); err != nil {
			return shard{}, err
		}
		if len(s.Versions)+len(s.Matches) > len(first.Versions)+len(first.Matches) {
			first = s
		}
	}
	if len(first.Versions) == 0 {
		return shard{}, errors.New("every stream was cut off before it named the versions it compares; nothing to merge")
	}
	for _, s := range shards {
		versions, matches := first.Versions, first.Matches
		if s.Summary == nil {
			versions = versions[:min(len(versions), len(s.Versions))]
			matches = matches[:min(len(matches), len(s.Matches))]
		}
		if a, b := identity(versions), identity(s.Versions); a != b {
			return shard{}, fmt.Errorf("%s compares %s, but %s compares %s; merge only shards of one comparison", first.name(), a, s.name(), b)
		}
		if !sameMatches(matches, s.Matches) {
			return shard{}, fmt.Errorf("%s and %s name the same versions but found different changes; was a working tree edited between the jobs, or do their Go versions or build tags differ?", first.name(), s.name())
		}
	}
	return first, nil
}

func sameMatches(a, b []Match) bool {
	return slices.EqualFunc(a, b, func(a, b Match) bool { return reflect.DeepEqual(a, b) })
}

func sameSettings(a, b shard) error {
	for _, s := range []struct {
		name string
		a, b any
	}{
		{"version of isodelta", a.Config.Tool, b.Config.Tool},
		{"packages", a.Config.Packages, b.Config.Packages},
		{"exclude", a.Config.Exclude, b.Config.Exclude},
		{"depth", a.Config.Depth, b.Config.Depth},
		{"list", a.Config.List, b.Config.List},
		{"match", a.Config.Match, b.Config.Match},
		{"prune", a.Config.Prune, b.Config.Prune},
		{"seed", a.Config.Seed, b.Config.Seed},
	} {
		if fmt.Sprint(s.a) != fmt.Sprint(s.b) {
			return fmt.Errorf("%s and %s differ in %s: %v and %v; shards only add up to the whole with the same settings", a.name(), b.name(), s.name, s.a, s.b)
		}
	}
	return nil
}

// identity is what must agree, in a form for messages.
func identity(versions []Versions) string {
	side := func(s Side) string {
		if s.Worktree {
			return "the working tree on " + s.Commit
		}
		return s.Commit
	}
	var parts []string
	for _, v := range versions {
		parts = append(parts, fmt.Sprintf("%s..%s of %s in %s", side(v.Base), side(v.Head), v.Module, v.ModuleDir))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// mergeConfigs keeps what is the same in each and, of what may differ between
// machines, the worst.
func mergeConfigs(shards []shard) Config {
	c := shards[0].Config
	c.Shard = ""
	for _, s := range shards[1:] {
		c.BudgetSeconds = max(c.BudgetSeconds, s.Config.BudgetSeconds)
		c.MaxVariants = max(c.MaxVariants, s.Config.MaxVariants)
		c.Deterministic = c.Deterministic && s.Config.Deterministic
		if sandboxLevel(s.Config.Sandbox) < sandboxLevel(c.Sandbox) {
			c.Sandbox, c.SandboxDetail = s.Config.Sandbox, s.Config.SandboxDetail
		}
		for _, gap := range s.Config.SandboxOpen {
			if !slices.Contains(c.SandboxOpen, gap) {
				c.SandboxOpen = append(slices.Clip(c.SandboxOpen), gap)
			}
		}
		if !strings.Contains(", "+c.GoVersion+",", ", "+s.Config.GoVersion+",") {
			c.GoVersion += ", " + s.Config.GoVersion
		}
	}
	return c
}

// sandboxLevel orders the levels that Config.Sandbox names; an unknown one
// promises nothing.
func sandboxLevel(s string) int {
	switch s {
	case "landlock":
		return 1
	case "landlock+netns":
		return 2
	case "landlock+namespaces":
		return 3
	}
	return 0
}

// joinBy joins what several shards tell of the same thing, which has one key. Things
// stay in the order in which they are first told of.
func joinBy[E any, K comparable](shards []shard, events func(shard) []E, key func(E) K, join func(a, b E) E) []E {
	var joined []E
	at := map[K]int{}
	for _, s := range shards {
		for _, e := range events(s) {
			k := key(e)
			i, seen := at[k]
			if !seen {
				at[k] = len(joined)
				joined = append(joined, e)
				continue
			}
			joined[i] = join(joined[i], e)
		}
	}
	return joined
}

// mergeBaselines joins by suite and package. The shards ran the same tests, so
// only what is unstable by itself can differ.
func mergeBaselines(shards []shard) []Baseline {
	type key struct{ suite, pkg string }
	merged := joinBy(shards, func(s shard) []Baseline { return s.Baselines },
		func(b Baseline) key { return key{b.Suite, b.Package} }, joinBaselines)
	slices.SortFunc(merged, func(a, b Baseline) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), strings.Compare(a.Package, b.Package))
	})
	return merged
}

func joinBaselines(a, b Baseline) Baseline {
	a.Tests = max(a.Tests, b.Tests)
	a.Passing = min(a.Passing, b.Passing)
	a.Failing = max(a.Failing, b.Failing)
	a.Branches = max(a.Branches, b.Branches)
	a.Covered = max(a.Covered, b.Covered)
	a.NotReaching = min(a.NotReaching, b.NotReaching)
	a.Unstable = union(a.Unstable, b.Unstable)
	a.Dropped = union(a.Dropped, b.Dropped)
	return a
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// mergeTargets joins by package and function: the shards divide the calls, so
// that their numbers add up, and a target that one of them could compare is
// compared.
func mergeTargets(shards []shard) []Target {
	type key struct{ pkg, function string }
	merged := joinBy(shards, func(s shard) []Target { return s.Targets },
		func(t Target) key { return key{t.Package, t.Function} }, joinTargets)
	slices.SortFunc(merged, CompareTargets)
	return merged
}

// joinTargets keeps the stronger state with its reason.
func joinTargets(a, b Target) Target {
	if cmp.Or(cmp.Compare(rank(targetStates, a.State), rank(targetStates, b.State)), strings.Compare(content(a), content(b))) > 0 {
		a, b = b, a
	}
	if a.State == b.State {
		a.Reason = cmp.Or(a.Reason, b.Reason)
	}
	a.Calls += b.Calls
	a.InPlace += b.InPlace
	a.Differ += b.Differ
	a.Banned = union(a.Banned, b.Banned)
	a.Banned = slices.Clip(a.Banned[:min(len(a.Banned), MaxBanned)])
	return a
}

// mergeFindings keeps one finding for each ID (observed ones are in every
// shard) and one representative for each cluster.
func mergeFindings(shards []shard) []Finding {
	findings := joinBy(shards, func(s shard) []Finding { return s.Findings },
		func(f Finding) string { return f.ID }, joinFindings)
	slices.SortFunc(findings, CompareFindings)
	spoken := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		f.Representative = f.Representative && !spoken[f.Cluster]
		spoken[f.Cluster] = spoken[f.Cluster] || f.Representative
	}
	return findings
}

// joinFindings keeps one, whichever shard told of it first, and speaks for the cluster
// if one of them does. It stands for the forced findings that it stands for in any shard.
func joinFindings(a, b Finding) Finding {
	b.Representative = b.Representative || a.Representative
	a.Representative = b.Representative
	if len(a.Merged)+len(b.Merged) > 0 {
		merged := slices.Concat(a.Merged, b.Merged)
		slices.Sort(merged)
		merged = slices.Compact(merged)
		a.Merged, b.Merged = merged, merged
	}
	if content(a) < content(b) {
		return a
	}
	return b
}

// content decides, the same way for any order of the shards, which of two
// events about the same thing is kept.
func content(e Event) string {
	b, _ := json.Marshal(e)
	return string(b)
}

func mergeSkipped(shards []shard) []Skipped {
	merged := joinBy(shards, func(s shard) []Skipped { return s.Skipped },
		func(k Skipped) string { return k.Type },
		func(a, b Skipped) Skipped {
			a.Lines += b.Lines
			a.Line = min(a.Line, b.Line)
			return a
		})
	slices.SortFunc(merged, func(a, b Skipped) int { return strings.Compare(a.Type, b.Type) })
	return merged
}

// missingShards returns a limit for each shard without a stream, or no
// whole one.
func missingShards(shards []shard) []Limit {
	have := map[int]bool{}
	var limits []Limit
	for _, s := range shards {
		have[s.Index] = true
		if s.Summary == nil {
			limits = append(limits, shardLimit(s.Shard, "its stream has no summary: the job was cut off, and what it had left to do was not explored"))
		}
	}
	const listed = 20 // a hostile n may be two thousand million
	count := shards[0].Count
	absent := count - len(have)
	for i := 1; i <= count && len(limits) < listed && absent > 0; i++ {
		if !have[i] {
			absent--
			limits = append(limits, shardLimit(Shard{i, count}, "it was not among the merged streams, and its part was not explored"))
		}
	}
	if absent > 0 {
		limits = append(limits, shardLimit(Shard{count, count}, fmt.Sprintf("%d more shards were not among the merged streams", absent)))
	}
	return limits
}

func shardLimit(s Shard, reason string) Limit {
	return Limit{Type: "limit", Kind: LimitShard, What: s.String(), Reason: reason}
}

func mergeLimits(shards []shard, missing []Limit) []Limit {
	var all []Limit
	for _, s := range shards {
		all = append(all, s.Limits...)
	}
	if versions := goVersions(shards); len(versions) > 1 {
		all = append(all, Limit{Type: "limit", Kind: LimitRuntime, What: "Go version",
			Reason: "the shards ran with different Go versions: " + strings.Join(versions, ", ")})
	}
	slices.SortFunc(all, func(a, b Limit) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Suite, b.Suite),
			strings.Compare(a.What, b.What), strings.Compare(a.Reason, b.Reason))
	})
	return append(slices.Clone(missing), slices.Compact(all)...)
}

func goVersions(shards []shard) []string {
	var all []string
	for _, s := range shards {
		all = append(all, s.Config.GoVersion)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mergeSummaries adds up what was divided and takes the largest of what is the
// same in each shard.
func mergeSummaries(shards []shard, merged *Stream, incomplete bool) *Summary {
	sum := &Summary{Type: "summary", Shards: len(shards)}
	exploring, calling := 0.0, 0.0 // seconds
	for _, s := range shards {
		p := s.Summary
		if p == nil {
			continue
		}
		sum.Functions = max(sum.Functions, p.Functions)
		sum.MatchedFunctions = max(sum.MatchedFunctions, p.MatchedFunctions)
		sum.Conditions = max(sum.Conditions, p.Conditions)
		sum.MatchedConditions = max(sum.MatchedConditions, p.MatchedConditions)
		sum.Branches = max(sum.Branches, p.Branches)
		sum.Covered = max(sum.Covered, p.Covered)
		sum.Tests = max(sum.Tests, p.Tests)
		sum.UnstableTests = max(sum.UnstableTests, p.UnstableTests)
		sum.TestsLeftOut = max(sum.TestsLeftOut, p.TestsLeftOut)
		sum.TestsAlone = max(sum.TestsAlone, p.TestsAlone)

		sum.Variants += p.Variants
		sum.Varied += p.Varied
		sum.Pruned += p.Pruned
		sum.Skipped += p.Skipped
		sum.Exhausted += p.Exhausted
		sum.Died += p.Died
		sum.Hung += p.Hung
		sum.HiddenHints += p.HiddenHints
		sum.Implausible += p.Implausible
		sum.Folded = append(sum.Folded, p.Folded...)
		sum.Goals = mergeGoals(sum.Goals, p.Goals)
		sum.NotConfirmed += p.NotConfirmed
		sum.Unconfirmed += p.Unconfirmed
		sum.Seconds += p.Seconds
		sum.BuildSeconds += p.BuildSeconds
		if first := p.FirstSeconds; first > 0 && (sum.FirstSeconds == 0 || first < sum.FirstSeconds) {
			sum.FirstSeconds = first
		}
		if p.VariantsPerSecond > 0 {
			exploring += float64(p.Variants) / p.VariantsPerSecond
		}
		sum.Calls += p.Calls
		sum.Sequences += p.Sequences
		sum.Reaching += p.Reaching
		sum.Behaviours += p.Behaviours
		sum.NewBehaviours += p.NewBehaviours
		sum.ReachedSeconds += p.ReachedSeconds
		sum.UnexportedOnly += p.UnexportedOnly
		if p.CallsPerSecond > 0 {
			calling += float64(p.Calls) / p.CallsPerSecond
		}
		sum.Interrupted = sum.Interrupted || p.Interrupted
	}
	if exploring > 0 {
		sum.VariantsPerSecond = float64(sum.Variants) / exploring
	}
	if calling > 0 {
		sum.CallsPerSecond = float64(sum.Calls) / calling
	}
	if !incomplete {
		sum.Unexecuted = byAll(shards, func(s *Summary) []string { return s.Unexecuted })
		sum.Outside = byAll(shards, func(s *Summary) []string { return s.Outside })
	}
	countTargets(shards, merged, sum)
	mergeExplored(shards, merged, sum)
	sum.Findings = len(merged.Findings)
	sum.Clusters = clusters(merged.Findings)
	sum.RelationsJudged = allJudged(shards)
	sum.Verdict = mergedVerdict(shards, merged, sum, incomplete)
	return sum
}

// byAll returns the names that all shards list: of functions that one shard executed, the others do
// not know.
func byAll(shards []shard, list func(*Summary) []string) []string {
	return slices.DeleteFunc(slices.Clone(list(shards[0].Summary)), func(name string) bool {
		return slices.ContainsFunc(shards, func(s shard) bool { return !slices.Contains(list(s.Summary), name) })
	})
}

// countTargets counts each target once that several shards called. What the
// shards' summaries count and the streams do not name is added up: it was
// divided, or nobody knows.
func countTargets(shards []shard, merged *Stream, sum *Summary) {
	for _, s := range shards {
		if s.Summary != nil && len(s.Targets) == 0 {
			sum.Targets += s.Summary.Targets
			sum.TargetsCompared += s.Summary.TargetsCompared
		}
	}
	for _, t := range merged.Targets {
		sum.Targets++
		if t.State == Compared {
			sum.TargetsCompared++
		}
	}
}

// mergeExplored unites the branches that the shards took. Where a shard does
// not list them, its count is only a lower bound of the union, and a limit says
// that the sum is one.
func mergeExplored(shards []shard, merged *Stream, sum *Summary) {
	united := map[string]Ranges{}
	atLeast := 0
	exact := true
	for _, s := range shards {
		if s.Summary == nil {
			continue
		}
		atLeast = max(atLeast, s.Summary.Explored)
		listed := 0
		for pkg, r := range s.Summary.ExploredBranches {
			united[pkg] = united[pkg].Union(r)
			listed += r.Len()
		}
		exact = exact && listed == s.Summary.Explored
	}
	for _, r := range united {
		sum.Explored += r.Len()
	}
	if len(united) > 0 {
		sum.ExploredBranches = united
	}
	sum.Explored = min(max(sum.Explored, atLeast), max(0, sum.Branches-sum.Covered))
	if !exact {
		merged.Limits = append(merged.Limits, Limit{Type: "limit", Kind: LimitShard, What: "explored branches",
			Reason: "a shard does not list the branches it took, so their number is a lower bound"})
	}
}

func clusters(findings []Finding) int {
	seen := map[string]bool{}
	for _, f := range findings {
		seen[f.Cluster] = true
	}
	return len(seen)
}

// mergedVerdict: a shard that had nothing to do does not make the whole
// unexplored, but one that is not whole makes the whole incomplete.
func mergedVerdict(shards []shard, merged *Stream, sum *Summary, incomplete bool) Verdict {
	stated := map[Verdict]int{}
	for _, s := range shards {
		if s.Summary != nil {
			stated[s.Summary.Verdict]++
		}
	}
	switch {
	case incomplete || sum.Interrupted || stated[Incomplete] > 0:
		return Incomplete
	case merged.hasFinding(Finding.Open), merged.hasOpenRelation():
		return Differences
	case merged.hasAccepted():
		return AcceptedOnly
	case len(merged.Findings) > 0:
		return IntendedOnly
	case stated[NoExecutableChange] == len(shards):
		return NoExecutableChange
	case stated[NothingExplored] == len(shards):
		return NothingExplored
	case stated[Differences]+stated[IntendedOnly]+stated[AcceptedOnly] > 0:
		return Incomplete // findings that a summary counts are not in its stream
	}
	return NoDifference
}
