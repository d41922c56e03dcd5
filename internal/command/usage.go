package command

const usage = `isodelta compares two versions of a Go module and reports what behaves
differently, with evidence that can be replayed.

Usage:

	isodelta [flags]               merge base with the default branch, against
	                               the working tree with its uncommitted changes
	isodelta [flags] BASE..HEAD    two revisions (BASE...HEAD: their merge base)
	isodelta [flags] BASE HEAD     the same
	isodelta [flags] BASE          against the working tree

	isodelta replay ID             run one finding again and show its values
	isodelta replay ID --test      print the Go test that shows it, if there is one
	isodelta accept ID --reason TEXT [--by NAME] [--expires DATE|90d]
	                               write into .isodelta.yml that it is meant
	isodelta gate [RANGE] [--tag VERSION]
	                               whether a release's version is enough for what
	                               changed; from the version tag before HEAD. With
	                               --accept-from head, what head's file accepts counts
	isodelta relations [list]      what is declared, and what the last run found; at
	                               most five of a function, and with --all all of them
	isodelta relations infer [PATTERN...] [--at REVISION]
	                               find the relations of exported functions
	isodelta relations check BASE..HEAD [--first N]
	                               those of base, on head; on the N source inputs of
	                               each function whose paths differ most
	isodelta relations export [PATTERN...] --to DIR
	                               write them as property tests (rapid)
	isodelta reach FILE:LINE [true|false]
	                               find inputs that take the branches on a line of
	                               the working tree, and print a test for each;
	                               --max-sequences N bounds the inputs tried for
	                               each (0: 60000)
	isodelta demo                  build a small repository and compare its commits
	isodelta report [STREAM]       render a recorded stream, or the last comparison
	                               (--output FORMAT=FILE)
	isodelta report --schema       the JSON schema of a stream's lines
	isodelta merge STREAM...       join the streams of shards
	isodelta action                a step of a GitHub workflow: the event says what to
	                               compare (--merge DIR: posts what other jobs did)
	isodelta publish               a step on workflow_run: posts what a fork's run found
	isodelta comment               a step on issue_comment: /isodelta accept, rerun
	isodelta config schema         the JSON schema of .isodelta.yml
	isodelta version

Flags:

	-C DIR                 run as if started in DIR
	--packages PATTERN     packages whose tests run (repeat, or separate by
	                       commas; default ./...)
	--exclude PATTERN      packages whose tests do not run
	--tags TAGS            build tags
	--budget DURATION      time for the whole comparison, which ends
	                       within 15 % more (default 10m)
	--max-variants N       largest number of variants (0: no limit)
	--max-sequences N      largest number of call sequences in each package (0: no limit)
	--depth N|any          conditions negated at once (default 1)
	--list LIST            branches to negate: universal (no test takes them) or
	                       unique (this test does not; the default)
	--match KIND           strict, as in the paper, or resynchronised (default)
	--no-calls             make no calls of our own
	--no-relations         check no metamorphic relations
	--vary-tests           run tests with a literal or statement of theirs changed
	--automr METHOD        how relations are inferred: null-space (default), paper, off
	--no-prune             run also what provably cannot differ
	--generated            negate in generated files too
	--sandbox LEVEL        auto, require or off
	--confirm N            differences confirmed in each cluster (default 3, 0: all)
	--skip REGEXP          tests to leave out
	--test-flags FLAG      for the test binaries, such as -short
	--test-env KEY=VALUE   for the test processes
	--plain-runtime        without the deterministic run time
	--shard i/n            run one part of n of the work
	--fail-on TERM[,TERM]  exit with 1 on differences that are observed, reached
	                       or forced; on small ones; on relations broken; on adequacy-drop=N; in
	                       place of fail-on and policy of the file
	--verbose              show all of the report, instead of a screen or two
	--output FORMAT=FILE   also write terminal, markdown, html, sarif, junit or
	                       json ("-": standard output)
	--config FILE          instead of .isodelta.yml
	--seed N               seed of the run (default 1)

Exit codes: 0 no finding that --fail-on objects to; 1 such a finding; 2 bad
flags, configuration or revisions; 3 no whole comparison could be made. Of reach:
0 each branch was taken; 1 one was not; 2 no such line; 3 nothing could be called.
`
