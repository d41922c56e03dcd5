// Package sarif writes the findings of a comparison as SARIF 2.1.0, for code
// scanning. A rule is a rung of the ladder of evidence with a kind of
// difference; a result is one finding, placed on the lines that are to blame where they are known, else
// on those of head that changed and ran, with the function called and the test beside it. The finding's
// identifier, which holds no line number, is its fingerprint.
//
// An intended finding and an accepted one are results with a suppression that
// says why. A comparison that is not whole is an invocation that did not
// succeed, and each limit is a notification, so that a log without results is
// not read as "nothing differs".
//
// A relation that head breaks is a result of its own rule, relation-broken, on the
// changed lines of its function; a declared one that holds on neither version is
// one of relation-violated. How thorough the testing was, and what became of the
// relations, stands in the properties of the invocation.
//
// Viewers make links of brackets in messages, and fill in numbers in braces;
// texts from the tested repository are written so that neither happens. Their
// file names become relative references, percent-encoded, or are left out where
// they lead out of the repository.
//
// What it cannot do: tell which lines are to blame where the stream does not. Where it holds no lines of a changed
// function either, the whole function is the place; where nothing of it is left on
// head, the place is the function called.
package sarif
