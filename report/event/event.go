package event

// Version of the stream's format, carried by every Config event.
const Version = 1

// Event is one line of the stream.
type Event interface{ EventType() string }

// A Sink receives events in the order in which they happen. Implementations
// must be safe for concurrent use.
type Sink interface{ Emit(Event) }

// Config opens a stream.
type Config struct {
	Type          string   `json:"type" jsonschema:"enum=config"`
	Version       int      `json:"version"`  // of the stream's format
	Tool          string   `json:"tool"`     // version of isodelta
	Packages      []string `json:"packages"` // patterns asked for
	Exclude       []string `json:"exclude,omitempty"`
	Depth         int      `json:"depth"` // largest negation set; 0 is any
	List          string   `json:"list"`  // universal, unique or both-branches
	BudgetSeconds float64  `json:"budget_seconds"`
	MaxVariants   int      `json:"max_variants,omitempty"` // 0 is no limit
	Prune         bool     `json:"prune"`
	Match         string   `json:"match"` // strict or resynchronised
	Seed          int64    `json:"seed"`
	Shard         string   `json:"shard,omitempty" jsonschema:"format=shard"` // "i/n"
	Sandbox       string   `json:"sandbox"`                                   // level reached: none, landlock, landlock+netns, landlock+namespaces
	SandboxDetail string   `json:"sandbox_detail,omitempty"`
	SandboxOpen   []string `json:"sandbox_open,omitempty" jsonschema:"maxItems=32"` // what tests can do all the same; the names of sandbox.Gaps
	GoVersion     string   `json:"go_version"`
	Deterministic bool     `json:"deterministic"`    // the child's run time is seeded
	Masked        []string `json:"masked,omitempty"` // noise the seeded run time takes out
	FailOn        []string `json:"fail_on,omitempty"`
	// Policy holds the exceptions to FailOn; the first rule that fits a package
	// counts for it.
	Policy []PolicyRule `json:"policy,omitempty" jsonschema:"maxItems=500"`
	// SettingsFile is the file with the settings, relative to the repository, where
	// head's differs from base's; Changes says in what.
	SettingsFile string          `json:"settings_file,omitempty" jsonschema:"maxLength=4096"`
	Changes      []SettingChange `json:"changes,omitempty" jsonschema:"maxItems=64"`
}

// SettingChange is one setting that head's file has otherwise than base's.
type SettingChange struct {
	Key  string `json:"key" jsonschema:"maxLength=64"`   // as in "test.env"; "file" for another file
	Base string `json:"base" jsonschema:"maxLength=256"` // the value in a line, shortened
	Head string `json:"head" jsonschema:"maxLength=256"`
	// Counts says which of them this comparison was made with: input is what the
	// workflow or the command line says in place of both.
	Counts string `json:"counts" jsonschema:"enum=base,enum=head,enum=both,enum=input"`
}

// What counts of a changed setting.
const (
	CountsBase  = "base"
	CountsHead  = "head"
	CountsBoth  = "both"
	CountsInput = "input"
)

// MaxPatterns bounds the patterns of all rules of a policy: each is held against each
// package.
const MaxPatterns = 500

// PolicyRule is what makes a comparison fail in some packages.
type PolicyRule struct {
	Packages []string `json:"packages" jsonschema:"maxItems=500"` // patterns as for go list, relative to the module
	FailOn   []string `json:"fail_on"`                            // instead of Config.FailOn; empty for nothing
}

// Versions says what was compared.
type Versions struct {
	Type string `json:"type" jsonschema:"enum=versions"`
	Base Side   `json:"base"`
	Head Side   `json:"head"`
	// MergeBase says that Base is the merge base of what was asked for.
	MergeBase bool   `json:"merge_base,omitempty"`
	Module    string `json:"module"`
	ModuleDir string `json:"module_dir" jsonschema:"format=local-path"` // relative to the repository, "." at its root
}

// Side is one side of the comparison.
type Side struct {
	Asked    string `json:"asked"`              // as the user named it
	Commit   string `json:"commit,omitempty"`   // full hash; for a working tree, of HEAD
	Worktree bool   `json:"worktree,omitempty"` // the working tree with its uncommitted changes
	Subject  string `json:"subject,omitempty"`  // first line of the commit message
}

// Match is the result of Algorithm 1 and of the comparison of canonical SSA.
type Match struct {
	Type              string        `json:"type" jsonschema:"enum=match"`
	Module            string        `json:"module,omitempty"` // joins it to its Versions where a repository has several modules
	Functions         int           `json:"functions"`        // of head
	MatchedFunctions  int           `json:"matched_functions"`
	Conditions        int           `json:"conditions"` // of head, negatable
	MatchedConditions int           `json:"matched_conditions"`
	Resynchronised    int           `json:"resynchronised"`                       // of the matched: found only past an insertion
	Changed           []ChangedItem `json:"changed" jsonschema:"maxItems=131072"` // the changed set Δ
	// PruneBlockers are the reasons why a variant may differ although it
	// executes no changed function (a method set changed, say).
	PruneBlockers []string `json:"prune_blockers,omitempty"`
	// Dependencies are the modules that base and head are built with different code of.
	Dependencies []Dependency `json:"dependencies,omitempty"`
}

// MaxThrough bounds the functions of dependencies that a stream names in one place.
const MaxThrough = 8

// Dependency is a module outside this one of which base and head link different code.
type Dependency struct {
	Module string `json:"module"`
	// Base and Head are versions, or what a replace directive names; "" where a version is
	// built without it.
	Base        string   `json:"base,omitempty"`
	Head        string   `json:"head,omitempty"`
	Functions   int      `json:"functions"`              // of the packages that are linked, changed, added or deleted
	Reached     int      `json:"reached"`                // of those, how many this module's code may execute
	Names       []string `json:"names,omitempty"`        // of the first of these
	Callers     int      `json:"callers"`                // functions of this module that call into what differs
	OnlyTests   bool     `json:"only_tests,omitempty"`   // only tests link what differs
	NotCompared bool     `json:"not_compared,omitempty"` // its functions could not be compared; a limit says why
}

// MaxData bounds the package variables that a stream names of one function.
const MaxData = 64

// ChangedItem is one member of the changed set Δ.
type ChangedItem struct {
	Function string `json:"function"` // as in ssa.Function.String, without the module's path
	Status   string `json:"status" jsonschema:"enum=changed,enum=added,enum=deleted,enum=through"`
	File     string `json:"file,omitempty" jsonschema:"format=local-path"` // slash-separated, relative to the repository; of head, else of base
	Line     int    `json:"line,omitempty"`
	EndLine  int    `json:"end_line,omitempty"`
	// Digest of the function's canonical SSA on head; "" where it is deleted. It
	// does not depend on lines, comments, formatting and names of locals.
	Digest string `json:"digest,omitempty"`
	// Through are the changed functions of dependencies that it may execute. Where the status
	// is "through", they are all that changed of it.
	Through []Through `json:"through,omitempty"`
	// Data are the package variables that it mentions and that are initialised otherwise,
	// where its own code is the same.
	Data []string `json:"data,omitempty" jsonschema:"maxItems=64"`
}

// StatusThrough is the status of a function that is the same, and executes changed functions of
// dependencies.
const StatusThrough = "through"

// Through is what a function calls of one dependency.
type Through struct {
	Module    string   `json:"module"`
	Base      string   `json:"base,omitempty"` // as in Dependency
	Head      string   `json:"head,omitempty"`
	Functions []string `json:"functions"` // the first of them, sorted; behind a name, in brackets, the variable that changed
	Count     int      `json:"count"`
}

// Baseline is what one suite does on both versions with nothing negated.
type Baseline struct {
	Type        string   `json:"type" jsonschema:"enum=baseline"`
	Suite       string   `json:"suite" jsonschema:"enum=base,enum=head"`
	Package     string   `json:"package" jsonschema:"format=import-path"`
	Tests       int      `json:"tests"`
	Passing     int      `json:"passing"`            // on both versions
	Failing     int      `json:"failing"`            // on at least one version
	Unstable    []string `json:"unstable,omitempty"` // test or test#site, with the reason after ": "
	Dropped     []string `json:"dropped,omitempty"`  // declarations that do not build against the other version
	Branches    int      `json:"branches"`           // of head's code, in this package's binary
	Covered     int      `json:"covered"`
	NotReaching int      `json:"not_reaching"` // tests that execute nothing of Δ
}

// Progress is for people who wait. It decides nothing.
type Progress struct {
	Type  string `json:"type" jsonschema:"enum=progress"`
	Phase string `json:"phase"` // revision, load, match, build, baseline, reach, relate, explore, confirm, found
	Text  string `json:"text,omitempty"`
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0 where it is not known
	// Found is a difference that was just confirmed and is not intended; nil for all else. What is
	// confirmed later may show that it is no finding.
	Found *Finding `json:"-"`
}

// Finding is one confirmed difference in behaviour. Suite and Test are always
// there when it is observed or forced; when it is reached, only where the call
// was made while a test ran.
type Finding struct {
	Type      string     `json:"type" jsonschema:"enum=finding"`
	ID        string     `json:"id"` // stable: made of names and texts, never of line numbers
	Rung      Rung       `json:"rung"`
	Intended  bool       `json:"intended"` // the change edits the expectation of this very test, or says what head gives, see Expected, or mends what an edited test needs, see Blamed
	Suite     string     `json:"suite,omitempty" jsonschema:"enum=base,enum=head"`
	Package   string     `json:"package" jsonschema:"format=import-path"`
	Test      string     `json:"test,omitempty" jsonschema:"format=test-name"` // when reached, the one whose run built the state
	Condition string     `json:"condition"`                                    // source text of the first negated condition; "" when observed or reached
	Function  string     `json:"function"`                                     // that holds the condition; when observed, the changed function that ran first; when reached, the one called
	File      string     `json:"file" jsonschema:"format=local-path"`          // of head; relative to the repository
	Line      int        `json:"line"`
	Negations []Negation `json:"negations"`
	Kind      Kind       `json:"kind"`
	Base      Result     `json:"base"`
	Head      Result     `json:"head"`
	Changed   []string   `json:"changed"` // changed functions that ran, on either version
	Cluster   string     `json:"cluster"` // the identifier that reports show; see package diff
	// Cause is the hash that an acceptance of the cluster names, 64 hexadecimal digits.
	Cause string `json:"cause,omitempty" jsonschema:"pattern=^[0-9a-f]{64}$"`
	// Representative finding of its cluster: the strongest and simplest.
	Representative bool `json:"representative"`

	// Random says that the calls draw random numbers on both versions: what they give differs
	// from run to run.
	Random bool `json:"random,omitempty"`
	// AfterError says that an earlier call on the same receiver gives an error on both versions: who goes on
	// after that has less to expect.
	AfterError bool `json:"after_error,omitempty"`
	// BesideError says that what differs is a result, or an argument, of a call that also gives an error, on both versions.
	BesideError bool `json:"beside_error,omitempty"`
	// Given is what the call was given. When reached, part by part and unexported ones too,
	// where Input cannot be written down as Go; when observed or forced, the variables among
	// the arguments at the site, such as those of a table's row.
	Given []Part `json:"given,omitempty" jsonschema:"maxItems=30"`

	// The rest is of reached findings alone.

	// Origin says how the input was made: while a test ran, by a sequence of
	// calls, from plain values, or by symbolic execution.
	Origin Origin `json:"origin,omitempty"`
	Input  string `json:"input,omitempty" jsonschema:"maxLength=1048576"` // Go statements, the last being the call that differs
	// GoTest is a whole Go test file, formatted, that passes on base and fails on head.
	GoTest     string `json:"go_test,omitempty" jsonschema:"maxLength=131072"`
	GoTestFile string `json:"go_test_file,omitempty" jsonschema:"format=local-path"` // where to put it, relative to the repository
	// Component of the call that differs, in words: "result", "result 2",
	// "error", "receiver", "argument s", "panic", "value of b.Count() afterwards".
	Component string `json:"component,omitempty"`
	// Differs are parts of what differs, unexported ones too, where it is made of parts.
	Differs []PartDiffers `json:"differs,omitempty" jsonschema:"maxItems=8"`
	// Printed says that the value is the same, and only a method tells of it in another way.
	Printed bool `json:"printed,omitempty"`
	// Apart says that the same was known to differ for a call that takes branches of the changed
	// functions which this one does not take: it may have another cause.
	Apart bool `json:"apart,omitempty"`
	// Example says that the same was known to differ for a simpler input, and that this one is told as it was found: it may
	// have another cause.
	Example bool `json:"example,omitempty"`
	// Unrelated says that a test executed nothing that changed and has the same outcome on both versions:
	// what differs comes from around the code, as its own text in a stack trace does, or from a module
	// that only tests are built with.
	Unrelated bool `json:"unrelated,omitempty"`
	// Foreign says that of an upgrade of dependencies a function of a dependency was called, and that nothing of the module
	// which leads to what differs was executed: nothing here may ever come to that.
	Foreign bool `json:"foreign,omitempty"`
	// News says that of an upgrade of dependencies nothing is known but small differences, of which this
	// is the first: see NoteNews. It is told as others are, and a policy takes it for the small one that it is.
	News bool `json:"news,omitempty"`
	// Misuse says that the call is given something that nobody in the module gives; "" for an
	// ordinary call.
	Misuse Misuse `json:"misuse,omitempty"`
	// When says which inputs show the difference; nil where nothing simple tells them apart.
	When *When `json:"when,omitempty"`
	// Program replays the call; what it holds is the engine's affair.
	Program  string `json:"program,omitempty" jsonschema:"maxLength=262144"`
	Entry    string `json:"entry,omitempty"`    // in place: digest of the function and its input, as mutated
	Mutation int    `json:"mutation,omitempty"` // number of the mutation, 0 for the input as the test gave it
	Again    bool   `json:"again,omitempty"`    // in place: the call is the second of two on one copy of that input
	Exported bool   `json:"exported,omitempty"` // the function called is exported
	// Merged are the forced findings whose branch this input takes: their IDs,
	// or "condition in Function".
	Merged []string `json:"merged,omitempty"`

	// Through is an exported function of the package that this one calls and that shows the
	// same change by itself, as Parse does for MustParse; "" for none.
	Through string `json:"through,omitempty"`
	// Signatures are those of called functions that the versions do not have alike. What only
	// one of them takes is left out or empty, what only one gives is not compared.
	Signatures []Signatures `json:"signatures,omitempty" jsonschema:"maxItems=4"`
	// Expected is where the change says what head gives for this input; nil for nowhere.
	Expected *Expectation `json:"expected,omitempty"`

	// Blamed are edits of the change without which, the rest being as on head, the finding does not show: its calls do
	// what they do on base, or GoTest passes. One of
	// them is enough; none says only that no single one was found.
	Blamed []Edit `json:"blamed,omitempty" jsonschema:"maxItems=3"`

	// Varied is what a test has otherwise than in its source; nil for a test as it is. Then an outcome of pass says that
	// the test came to its end: what it expects was not written for that.
	Varied *Varied `json:"varied,omitempty"`

	// Fate is of forced findings alone.
	Fate *Fate `json:"fate,omitempty"`

	// Accepted says that somebody took the difference on; nil for none.
	Accepted *Acceptance `json:"accepted,omitempty"`
	// Proposed is an acceptance that head's own file adds and that does not count.
	Proposed *Acceptance `json:"proposed,omitempty"`
}

// Open reports whether a difference is neither intended nor accepted.
func (f Finding) Open() bool { return !f.Intended && f.Accepted == nil }

// FailsTest reports whether a finding is that a test passes on base and not on head, so that somebody
// sees it without us.
func (f Finding) FailsTest() bool {
	return f.Rung == Observed && f.Varied == nil && f.Base.Outcome == Pass && f.Head.Outcome != Pass
}

// MaxSignatures bounds the Signatures of a finding.
const MaxSignatures = 4

// Signatures are a function's on both versions.
type Signatures struct {
	Function string `json:"function"`
	Base     string `json:"base"`
	Head     string `json:"head"`
}

// Expectation is a line of head, added by the change, with an input and what head gives for
// it: a row of a test, of a data file, of a change log, or a documentation comment.
type Expectation struct {
	File string `json:"file" jsonschema:"format=local-path"` // slash-separated, relative to the repository
	Line int    `json:"line"`
}

// MaxEdits bounds the Blamed of a finding.
const MaxEdits = 3

// Edit is a part of the change, within one declaration as a rule: the lines of head from the first
// that differs to the last. Where only base has lines, EndLine is before Line.
type Edit struct {
	File    string `json:"file" jsonschema:"format=local-path"` // slash-separated, relative to the repository
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	// Digest is the same for edits of the same text, as in copies of a function.
	Digest string `json:"digest,omitempty" jsonschema:"maxLength=16"`
	// Alike is the same for edits that do the same to other names and literals; "" where that is not known, or
	// too little to say so.
	Alike string `json:"alike,omitempty" jsonschema:"maxLength=16"`
	// ExpectedBy is a test that the change edits or adds and that fails without this edit; "" where
	// none is known to.
	ExpectedBy string `json:"expected_by,omitempty"`
}

// Acceptance is a maintainer's word that a difference is meant.
type Acceptance struct {
	Reason  string `json:"reason"`
	By      string `json:"by,omitempty"`
	Expires string `json:"expires,omitempty"` // yyyy-mm-dd, the last day on which it counts; "" for never
	// From is the configuration, a comment, or the configuration of head alone.
	From string `json:"from" jsonschema:"enum=config,enum=comment,enum=head"`
}

// Limits of a Finding, and of a Relation's program and test, in characters.
const (
	MaxProgram = 1 << 18 // of a program
	MaxTest    = 1 << 17 // of a Go test
)

// Target is a function that was to be called on both versions. A target that
// hangs, exits or crashes is not dropped; the values that make it do so are.
type Target struct {
	Type     string      `json:"type" jsonschema:"enum=target"`
	Function string      `json:"function"` // as in the changed set
	Package  string      `json:"package" jsonschema:"format=import-path"`
	File     string      `json:"file,omitempty" jsonschema:"format=local-path"` // of head; relative to the repository
	Line     int         `json:"line,omitempty"`
	Exported bool        `json:"exported"`
	Role     Role        `json:"role"` // in the changed set, reaches it, or takes what it builds
	State    TargetState `json:"state"`
	Calls    int         `json:"calls"`                                     // compared
	InPlace  int         `json:"in_place"`                                  // of Calls: made while a test ran
	Differ   int         `json:"differ"`                                    // of Calls
	Reason   string      `json:"reason,omitempty"`                          // why it is ineligible or unstable, or what was left out
	Banned   []string    `json:"banned,omitempty" jsonschema:"maxItems=20"` // values left out and why, at most MaxBanned
}

// MaxBanned bounds Target.Banned.
const MaxBanned = 20

// Negation is one condition of a negation set.
type Negation struct {
	ID       string `json:"id"` // package.function#text#ordinal
	Text     string `json:"text"`
	Function string `json:"function"`
	File     string `json:"file" jsonschema:"format=local-path"` // of head
	Line     int    `json:"line"`
	BaseFile string `json:"base_file,omitempty" jsonschema:"format=local-path"`
	BaseLine int    `json:"base_line,omitempty"`
	Match    string `json:"match" jsonschema:"enum=strict,enum=resynchronised"`
	Taken    bool   `json:"taken"` // the outcome that the negation forces where the test had the other
	// Universal says that no test takes the branch (it is on the universal
	// list). Otherwise only this test does not.
	Universal bool `json:"universal,omitempty"`
	// Inverted says that this test takes both branches, so that negating the
	// condition takes the other one each time; Taken then says nothing.
	Inverted bool `json:"inverted,omitempty"`
	// Elsewhere says that one version asks the same in one more place of the function. What is
	// negated in one of them alone may contradict the other.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Values of a Result that stand for none.
const (
	ValueNotReached = "(not reached)" // the version did not come to the site
	ValueNotSeen    = "(not seen)"    // it did, and saw other values there
)

// Result is what one version did.
type Result struct {
	Outcome Outcome `json:"outcome"`
	Value   string  `json:"value,omitempty" jsonschema:"maxLength=1048576"` // rendered; of the first observation that differs
	Site    string  `json:"site,omitempty"`                                 // the test code's expression that was looked at
	File    string  `json:"file,omitempty" jsonschema:"format=local-path"`  // of the site, or when reached of the module's code that panics
	Line    int     `json:"line,omitempty"`
	Message string  `json:"message,omitempty" jsonschema:"maxLength=1048576"` // panic value, failure text, last words
}

// Limit is something that was not, or could not be, explored.
type Limit struct {
	Type   string    `json:"type" jsonschema:"enum=limit"`
	Kind   LimitKind `json:"kind"` // a newer version may write other kinds
	Suite  string    `json:"suite,omitempty"`
	What   string    `json:"what" jsonschema:"maxLength=4096"`   // test, package, file or condition concerned
	Reason string    `json:"reason" jsonschema:"maxLength=4096"` // one sentence
}

// Folded is a difference in a forced state that is not reported: calls and tests take the
// branch by themselves, and none shows it.
type Folded struct {
	Condition string `json:"condition" jsonschema:"maxLength=4096"` // source text
	Function  string `json:"function"`                              // that holds it
	Taken     bool   `json:"taken"`                                 // the side that was forced
	Kind      Kind   `json:"kind"`                                  // of the difference
	Calls     int    `json:"calls"`                                 // that take the branch, on the version on which fewer do
	Tests     int    `json:"tests"`                                 // likewise
	// Infeasible says that no input takes the branch on head, instead of that many do.
	Infeasible bool `json:"infeasible,omitempty"`
}

// Goal is a branch in or on the way to the changed set that no test and no call took by
// itself, with what became of the search for an input.
type Goal struct {
	Version  string    `json:"version" jsonschema:"enum=base,enum=head"`
	Function string    `json:"function"` // that holds it
	File     string    `json:"file" jsonschema:"format=local-path"`
	Line     int       `json:"line"`
	Branch   string    `json:"branch" jsonschema:"maxLength=4096"` // a condition and its outcome, or what is executed
	State    GoalState `json:"state"`
	Tried    int       `json:"tried"` // inputs
	Why      string    `json:"why,omitempty" jsonschema:"maxLength=4096"`
}

// Fate is what became of the search for inputs that take the branches of a forced
// finding.
type Fate struct {
	State GoalState `json:"state"`
	Calls int       `json:"calls"` // that take the branches without the difference, on the version on which fewer do
	Tried int       `json:"tried"` // inputs
	Why   string    `json:"why,omitempty" jsonschema:"maxLength=4096"`
}

// Summary closes a stream. A stream without one was cut off.
type Summary struct {
	Type              string `json:"type" jsonschema:"enum=summary"`
	Functions         int    `json:"functions"`
	MatchedFunctions  int    `json:"matched_functions"`
	Conditions        int    `json:"conditions"`
	MatchedConditions int    `json:"matched_conditions"`
	Branches          int    `json:"branches"`         // of head
	Covered           int    `json:"covered"`          // by the suites as they are
	Explored          int    `json:"explored"`         // of those not covered: taken by some variant
	Variants          int    `json:"variants"`         // executions of a test under a negation set, a pair counted once
	Varied            int    `json:"varied,omitempty"` // executions of a test with something of it changed, a pair counted once
	Pruned            int    `json:"pruned"`           // proved equal without running head, or without running at all
	Skipped           int    `json:"skipped"`          // left when the budget ended
	Exhausted         int    `json:"exhausted"`
	Died              int    `json:"died"`
	Hung              int    `json:"hung"`
	UnstableTests     int    `json:"unstable_tests"`
	Tests             int    `json:"tests"`
	TestsLeftOut      int    `json:"tests_left_out,omitempty"` // of the chosen packages: did not fit the other version, were excluded, or had no time
	// TestsAlone are tests that do not fit the other version, or lost a part for it, and ran on their own one. They are not
	// among TestsLeftOut.
	TestsAlone int `json:"tests_alone,omitempty"`
	// Unexecuted names functions of the changed set that nothing executed: no test,
	// no call and no variant, on neither version.
	Unexecuted []string `json:"unexecuted,omitempty"`
	// Outside names functions of the changed set that the packages asked for neither hold nor
	// use, by their code or their tests. They are not among Unexecuted.
	Outside     []string `json:"outside,omitempty"`
	HiddenHints int      `json:"hidden_hints"` // variants equal in all that is visible, different in unexported state
	Implausible int      `json:"implausible"`  // differences in forced states that are wrong for both versions; not reported
	// Folded are differences in forced states that calls and tests speak against.
	Folded []Folded `json:"folded,omitempty"`
	// Goals are branches that were never taken when calls had been made.
	Goals             []Goal  `json:"goals,omitempty"`
	NotConfirmed      int     `json:"not_confirmed"` // differences like confirmed ones that were not run again
	Unconfirmed       int     `json:"unconfirmed"`   // differences that did not repeat in fresh processes
	Findings          int     `json:"findings"`
	Clusters          int     `json:"clusters"`
	Seconds           float64 `json:"seconds"`
	FirstSeconds      float64 `json:"first_seconds,omitempty"` // until the first difference was confirmed that is not intended; 0 if none was
	BuildSeconds      float64 `json:"build_seconds"`
	VariantsPerSecond float64 `json:"variants_per_second"`
	Targets           int     `json:"targets"`          // functions to call on both versions
	TargetsCompared   int     `json:"targets_compared"` // of Targets
	Calls             int     `json:"calls"`            // of targets, compared between the versions
	Sequences         int     `json:"sequences"`        // of calls, run on both versions
	// Reaching are the sequences that executed a changed function, on either version.
	Reaching       int     `json:"reaching,omitempty"`
	CallsPerSecond float64 `json:"calls_per_second"`
	Behaviours     int     `json:"behaviours"`     // pairs of sets of branches that sequences which reach the change took on base and head
	NewBehaviours  float64 `json:"new_behaviours"` // that as many sequences again would show, estimated (Chao, corrected for adaptive bias)
	ReachedSeconds float64 `json:"reached_seconds"`
	UnexportedOnly int     `json:"unexported_only"` // differences seen only by calling unexported functions with made-up values; not reported
	Interrupted    bool    `json:"interrupted,omitempty"`
	// RelationsJudged says that each relation that is kept was judged on the input of
	// every finding of its function that is a call of our own. A stream of which that is
	// not true is not valid.
	RelationsJudged bool `json:"relations_judged,omitempty"`
	Shards          int  `json:"shards,omitempty"` // merged into this summary
	// ExploredBranches are the branches that Explored counts, by package. A
	// shard writes them so that Merge can count a branch once that several
	// shards took; an undivided run leaves them out.
	ExploredBranches map[string]Ranges `json:"explored_branches,omitempty"`
	Verdict          Verdict           `json:"verdict"`
}

func (Config) EventType() string   { return "config" }
func (Versions) EventType() string { return "versions" }
func (Match) EventType() string    { return "match" }
func (Baseline) EventType() string { return "baseline" }
func (Progress) EventType() string { return "progress" }
func (Finding) EventType() string  { return "finding" }
func (Target) EventType() string   { return "target" }
func (Limit) EventType() string    { return "limit" }
func (Summary) EventType() string  { return "summary" }
