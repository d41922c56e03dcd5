// Package goals holds thirty branches that are hard to take by chance, one for each shape
// of condition that is common in Go code: see docs/evaluation.md. A comment "goal:" names
// the condition whose outcome true is looked for; of several on a line the last one.
//
// They were written before the search for them was tuned, and a test keeps the hash of the
// file: whoever changes a goal has to say so.
package goals
