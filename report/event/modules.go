package event

import (
	"reflect"
	"slices"
)

// JoinPhases adds up what several comparisons spent, each phase once. A share is that of all their time.
func JoinPhases(phases []Phase) []Phase {
	var out []Phase
	total := 0.0
	for _, p := range phases {
		total += p.Seconds
		if at := slices.IndexFunc(out, func(o Phase) bool { return o.Name == p.Name }); at >= 0 {
			out[at].Seconds += p.Seconds
		} else {
			out = append(out, p)
		}
	}
	for i := range out {
		if total > 0 {
			out[i].Share = out[i].Seconds / total
		}
	}
	return out
}

// JoinSummaries sums up the comparisons of several modules, in the order in which they were made. What they count is added up. A
// comparison of one module is itself.
func JoinSummaries(summaries []Summary) Summary {
	if len(summaries) == 1 {
		return summaries[0]
	}
	sum := Summary{Type: "summary", RelationsJudged: true}
	first, exploring, calling := 0.0, 0.0, 0.0 // seconds
	for _, s := range summaries {
		if first == 0 && s.FirstSeconds > 0 {
			first = sum.Seconds + s.FirstSeconds
		}
		if s.VariantsPerSecond > 0 {
			exploring += float64(s.Variants) / s.VariantsPerSecond
		}
		if s.CallsPerSecond > 0 {
			calling += float64(s.Calls) / s.CallsPerSecond
		}
		sum.RelationsJudged = sum.RelationsJudged && s.RelationsJudged
		sum.Interrupted = sum.Interrupted || s.Interrupted
		addUp(reflect.ValueOf(&sum).Elem(), reflect.ValueOf(s))
	}
	sum.FirstSeconds, sum.VariantsPerSecond, sum.CallsPerSecond = first, 0, 0
	if exploring > 0 {
		sum.VariantsPerSecond = float64(sum.Variants) / exploring
	}
	if calling > 0 {
		sum.CallsPerSecond = float64(sum.Calls) / calling
	}
	sum.Verdict = joinedVerdict(summaries)
	return sum
}

// addUp adds the numbers and the lists of a struct to another one of its type. Only shards have maps in a summary.
func addUp(to, from reflect.Value) {
	for i := range to.NumField() {
		switch f := to.Field(i); f.Kind() {
		case reflect.Int:
			f.SetInt(f.Int() + from.Field(i).Int())
		case reflect.Float64:
			f.SetFloat(f.Float() + from.Field(i).Float())
		case reflect.Slice:
			f.Set(reflect.AppendSlice(f, from.Field(i)))
		}
	}
}

// joinedVerdict returns what the verdicts on several modules say together: the gravest. Limits tell of which modules nothing was explored.
func joinedVerdict(summaries []Summary) Verdict {
	stated := map[Verdict]int{}
	for _, s := range summaries {
		stated[s.Verdict]++
	}
	for _, v := range []Verdict{Incomplete, Differences, AcceptedOnly, IntendedOnly, NoDifference, NothingExplored} {
		if stated[v] > 0 {
			return v
		}
	}
	return NoExecutableChange
}
