package event

import (
	"reflect"
	"strings"
)

// The closed sets of the stream. Each is a type, its constants, and one list of
// them in the order in which a reader should meet them; reading, sorting and the
// schema follow the list.
//
// A reader takes only members, but for kinds of limits: a stream of a newer
// version may hold kinds that this one does not know, and a limit must not be lost
// for that.

// Rung is a step of the ladder of evidence; see the report's legend.
type Rung string

const (
	Observed Rung = "observed" // an existing test, unmodified, sees another value
	Reached  Rung = "reached"  // a call of our own, no code modified, gives another result
	Forced   Rung = "forced"   // only a negated branch shows it (ISON)
)

const rungs = " " + Observed + " " + Reached + " " + Forced + " "

// Rungs lists the rungs, strongest first.
func Rungs() []Rung { return members(rungs) }

// Outcome is how one execution of one test ended.
type Outcome string

const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	Panic     Outcome = "panic"
	Exhausted Outcome = "exhausted" // ran out of fuel (counted work, not time)
	Died      Outcome = "died"      // the process ended: os.Exit, fatal error, panic on another goroutine
	Hung      Outcome = "hung"      // the parent's watchdog ended it; never evidence
	Unstable  Outcome = "unstable"  // differs between repetitions; never evidence
	NotBuilt  Outcome = "not-built"
)

const outcomes = " " + Pass + " " + Fail + " " + Panic + " " + Exhausted + " " + Died + " " + Hung + " " + Unstable + " " + NotBuilt + " "

// Kind is in what way two results differ.
type Kind string

const (
	KindPanic        Kind = "panic"          // panics on one version only
	KindValueToError Kind = "value-to-error" // a value on base, an error on head
	KindErrorToValue Kind = "error-to-value" // the other way round
	KindValue        Kind = "value"          // two values
	KindNilEmpty     Kind = "nil-empty"      // nil on one version, something empty on the other
	KindErrorText    Kind = "error-text"     // errors with different texts
)

// kinds are listed by the harm they do, the worst first.
const kinds = " " + KindPanic + " " + KindValueToError + " " + KindValue + " " + KindErrorToValue + " " + KindErrorText + " " + KindNilEmpty + " "

// Kinds lists the kinds of difference, by the harm they do, the worst first.
func Kinds() []Kind { return members(kinds) }

// Verdict is what a stream as a whole says; see Stream.Verdict.
type Verdict string

const (
	NoExecutableChange Verdict = "no-executable-change"
	NoDifference       Verdict = "no-difference"
	Differences        Verdict = "differences"
	IntendedOnly       Verdict = "intended-only"
	AcceptedOnly       Verdict = "accepted-only" // every difference is accepted or intended, and at least one accepted
	NothingExplored    Verdict = "nothing-explored"
	Incomplete         Verdict = "incomplete" // cut off, interrupted, or a shard is missing
)

const verdicts = " " + NoExecutableChange + " " + NoDifference + " " + Differences + " " + IntendedOnly + " " + AcceptedOnly + " " + NothingExplored + " " + Incomplete + " "

// LimitKind is what sort of thing was not, or could not be, explored.
type LimitKind string

const (
	LimitShard           LimitKind = "shard"            // a part of a divided comparison is missing or cut off
	LimitNotBuilt        LimitKind = "not-built"        // a package or test does not build
	LimitFailing         LimitKind = "failing"          // a test fails before anything is forced
	LimitUnstable        LimitKind = "unstable"         // a test or value varies by itself
	LimitDroppedTest     LimitKind = "dropped-test"     // a test does not fit the other version
	LimitBudget          LimitKind = "budget"           // the budget ended before
	LimitCalls           LimitKind = "calls"            // calls of our own that were not made
	LimitDependencies    LimitKind = "dependencies"     // what was not compared of dependencies, and of Go itself
	LimitRelations       LimitKind = "relations"        // relations that were not checked or not believed
	LimitNotRerun        LimitKind = "not-rerun"        // differences that were not run again
	LimitRepetitions     LimitKind = "repetitions"      // tests run less often than usual
	LimitSetAside        LimitKind = "set-aside"        // a test was left out
	LimitConstraint      LimitKind = "constraint"       // a changed file that build constraints leave out
	LimitConstant        LimitKind = "constant"         // an exported constant with another value
	LimitTestMain        LimitKind = "test-main"        // a TestMain that ends its process, so that tests and calls are made without it
	LimitNotNegated      LimitKind = "not-negated"      // a file whose branches were not forced
	LimitPattern         LimitKind = "pattern"          // a pattern that names no package
	LimitModule          LimitKind = "module"           // other modules of the repository
	LimitInfrastructure  LimitKind = "infrastructure"   // something went wrong that is not about the code
	LimitInterrupted     LimitKind = "interrupted"      // the run was interrupted
	LimitCancelled       LimitKind = "cancelled"        // the job was cancelled
	LimitStaleAcceptance LimitKind = "stale-acceptance" // an acceptance without effect
	LimitTestdata        LimitKind = "testdata"         // test data that the change touches
	LimitCheckout        LimitKind = "checkout"         // what of a version could not be laid out as it is
	LimitCommits         LimitKind = "commits"          // what was unexpected about the commits to compare
	LimitCache           LimitKind = "cache"            // the result is an earlier run's
	LimitRuntime         LimitKind = "runtime"          // about the Go version and its run time
	LimitGraph           LimitKind = "graph"            // a drawing left out or cut
)

// CallsEnded and CallsNotBuilt begin the reason of a LimitCalls that leaves a package without most
// of its calls, or without any: what they would have shown is unknown.
const (
	CallsEnded    = "calls of our own ended early: "
	CallsNotBuilt = "no calls of our own: what makes them does not build here: "
)

// limitKinds are in the order in which a reader should meet them.
const limitKinds = " " + LimitShard + " " + LimitNotBuilt + " " + LimitFailing + " " + LimitUnstable + " " + LimitDroppedTest + " " + LimitBudget + " " +
	LimitCalls + " " + LimitDependencies + " " + LimitRelations + " " + LimitNotRerun + " " + LimitRepetitions + " " + LimitSetAside + " " + LimitConstraint + " " + LimitConstant + " " + LimitTestMain + " " + LimitNotNegated + " " +
	LimitPattern + " " + LimitModule + " " + LimitInfrastructure + " " + LimitInterrupted + " " + LimitCancelled + " " + LimitStaleAcceptance + " " + LimitTestdata + " " +
	LimitCheckout + " " + LimitCommits + " " + LimitCache + " " + LimitRuntime + " " + LimitGraph + " "

// LimitKinds lists the kinds of limits that this version writes.
func LimitKinds() []LimitKind { return members(limitKinds) }

// Role is what a target has to do with the change.
type Role string

const (
	RoleChanged  Role = "changed"  // it is in the changed set
	RoleCaller   Role = "caller"   // it reaches the changed set
	RoleConsumer Role = "consumer" // it takes what the changed set builds
)

const roles = " " + RoleChanged + " " + RoleCaller + " " + RoleConsumer + " "

// TargetState is what became of a target.
type TargetState string

const (
	Compared       TargetState = "compared"
	TargetUnstable TargetState = "unstable"    // it varies by itself
	Ineligible     TargetState = "ineligible"  // it cannot be called, or its results cannot be compared
	NotReached     TargetState = "not-reached" // no value for it was found
)

// GoalState is what became of the search for an input that takes a branch.
type GoalState string

const (
	GoalTaken      GoalState = "taken"      // inputs take it
	GoalInfeasible GoalState = "infeasible" // no input takes it, as all paths of its function show
	GoalNotFound   GoalState = "not-found"  // none was found; that says nothing about whether there is one
	GoalNotTried   GoalState = "not-tried"  // nothing was searched
)

// goalStates begin with the one that says most.
const goalStates = " " + GoalTaken + " " + GoalInfeasible + " " + GoalNotFound + " " + GoalNotTried + " "

// targetStates begin with the one that says most.
const targetStates = " " + Compared + " " + TargetUnstable + " " + Ineligible + " " + NotReached + " "

// Origin is how the input of a call was made.
type Origin string

const (
	OriginInPlace  Origin = "in-place" // while a test ran
	OriginSequence Origin = "sequence" // by a sequence of calls
	OriginPlain    Origin = "plain"    // from plain values
	OriginSymbolic Origin = "symbolic" // by symbolic execution
)

const origins = " " + OriginInPlace + " " + OriginSequence + " " + OriginPlain + " " + OriginSymbolic + " "

// Misuse is how a call departs from all calls that the module and its tests make.
type Misuse string

const (
	// NilArgument is nil where a pointer, a function or an implementer is wanted, and where
	// no call in the module gives nil and the function does not ask for it; or a nil pointer that a struct of a type without a
	// name embeds.
	NilArgument Misuse = "nil-argument"
	// EmptyStruct is a struct with nothing in it, of a type that the module nowhere leaves
	// empty, and head crashes: an argument, an element of a list in one, or the receiver where a function makes such values. An empty
	// receiver of another module, which only a function of its package makes, counts whatever comes of it.
	EmptyStruct Misuse = "empty-struct"
	// FullWriter is a writer that takes only some bytes, where one version has an error of it: what
	// the other writes is another length, which shows without it.
	FullWriter Misuse = "full-writer"
	// CallsOthers is a call of other modules alone, such as an upgraded one, with which nothing of this module shares a value; or one of a
	// module that is the same on both versions, where nothing of the change ran.
	CallsOthers Misuse = "calls-others"
	// UnsetField is a struct that lacks a number or a text, and a version panics. Every literal of the type in the module sets it.
	UnsetField Misuse = "unset-field"
	// GivenItself is a receiver that is passed to one of its own methods, and the stack of a version overflows.
	GivenItself Misuse = "given-itself"
	// UnnamedStruct is a value of an unnamed struct type, or of a type that contains one. A version panics when it asserts
	// another type.
	UnnamedStruct Misuse = "unnamed-struct"
	// NoJSON is invalid JSON, or JSON with blanks around it, passed to a type's UnmarshalJSON. Package encoding/json never does
	// that.
	NoJSON Misuse = "no-json"
	// OtherTable is an argument of an unexported function that differs from what all calls in the module pass: a package-level
	// map, list or function that nothing changes.
	OtherTable Misuse = "other-table"
	// Renumbered is a number whose constant has another name on head than on base.
	Renumbered Misuse = "renumbered"
)

const misuses = " " + NilArgument + " " + EmptyStruct + " " + FullWriter + " " + CallsOthers + " " + UnsetField + " " + GivenItself + " " + UnnamedStruct + " " +
	NoJSON + " " + OtherTable + " " + Renumbered + " "

// RelationSource is where a relation comes from.
type RelationSource string

const (
	Declared RelationSource = "declared" // the repository's configuration
	FromTest RelationSource = "test"
	Template RelationSource = "template" // a general relation tried on the function
	GenMorph RelationSource = "genmorph"
	AutoMR   RelationSource = "automr" // inferred by package automr
)

// relationSources begin with what somebody wrote down.
const relationSources = " " + Declared + " " + FromTest + " " + Template + " " + GenMorph + " " + AutoMR + " "

// RelationState is what became of a relation.
type RelationState string

const (
	Broken   RelationState = "broken"   // holds on base, not on head
	Violated RelationState = "violated" // declared, and holds on neither
	New      RelationState = "new"      // holds on head, not on base
	Kept     RelationState = "kept"     // holds on both versions
)

const relationStates = " " + Broken + " " + Violated + " " + New + " " + Kept + " "

// GroupVerdict is what the calls of a metamorphic group say of a relation.
type GroupVerdict string

const (
	GroupFails  GroupVerdict = "fails"
	GroupHolds  GroupVerdict = "holds"
	GroupSilent GroupVerdict = "silent" // a call does not return, or the relation says nothing about such an input
)

// groupVerdicts begin with the one that says most.
const groupVerdicts = " " + GroupFails + " " + GroupHolds + " " + GroupSilent + " "

// Words that Finding.Component is made of. It is no closed set: a result has a
// number, an argument and a value a name.
const (
	ComponentResult   = "result" // "result 2" where there are several
	ComponentError    = "error"
	ComponentReceiver = "receiver"
	ComponentArgument = "argument" // "argument s"
	ComponentPanic    = "panic"
	ComponentStdout   = "stdout" // what the call wrote there
	ComponentStderr   = "stderr"
	ComponentExit     = "exit status" // of a call that ended the process
	ComponentValue    = "value"       // "value of b.Count() afterwards"; alone, of the variable that the input ends with
)

// members takes a list apart.
func members[T ~string](list T) []T {
	var out []T
	for word := range strings.FieldsSeq(string(list)) {
		out = append(out, T(word))
	}
	return out
}

// closedSet returns the members that a reader takes for a type, nil where any value will do.
func closedSet(t reflect.Type) []string {
	list := ""
	switch t {
	case reflect.TypeFor[Rung]():
		list = string(rungs)
	case reflect.TypeFor[Outcome]():
		list = string(outcomes)
	case reflect.TypeFor[Kind]():
		list = string(kinds)
	case reflect.TypeFor[Verdict]():
		list = string(verdicts)
	case reflect.TypeFor[Role]():
		list = string(roles)
	case reflect.TypeFor[GoalState]():
		list = string(goalStates)
	case reflect.TypeFor[TargetState]():
		list = string(targetStates)
	case reflect.TypeFor[Origin]():
		list = string(origins)
	case reflect.TypeFor[Misuse]():
		list = string(misuses)
	case reflect.TypeFor[RelationSource]():
		list = string(relationSources)
	case reflect.TypeFor[RelationState]():
		list = string(relationStates)
	case reflect.TypeFor[GroupVerdict]():
		list = string(groupVerdicts)
	}
	return members(list)
}
