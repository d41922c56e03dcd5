// Package relation models metamorphic relations of Go functions: if inputs are
// related so, outputs are related so. It makes candidates and writes relations as
// Go. It runs nothing. Package declare compiles those that a configuration
// declares, package tested takes those that tests state, package automr infers those
// of numbers, package genetic evolves others in the language of package law, package
// check checks them all.
//
// A Relation is a Form: parameters, a group of calls of which the first is the
// source call, and a condition over all that they give, all as Go expressions
// (Chen et al., "Metamorphic Testing: A Review of Challenges and
// Opportunities", ACM Computing Surveys 2018, has the terms). Expressions are
// kept as texts with free names; whoever writes a form into a file gives those
// names their place there (package goexpr), so that no variable of a form can
// collide with the package that the file belongs to.
//
//   - Templates looks at the types and the name of a Subject and gives general
//     relations that it may have: parity, homogeneity, translation, order and
//     multiplicity of elements, concatenation, case, white space, idempotence,
//     inverse functions, the laws of operations and of orders, arguments left as
//     they are. Those that hold on the base version are worth checking on head.
//   - A Frame is what Templates and package declare make forms with. It names
//     variables and packages so that none hides another.
//   - Registration and Choices write the closures that package harness calls, one
//     line each.
//   - Test writes one plain test for one source input, to paste; RapidTest writes
//     property tests for pgregory.net/rapid.
//
// Calls may change what they are given. In closures, such arguments are deep
// copies; in tests, they are made anew by the expressions that made them, and
// slices that an earlier call gave are cloned.
//
// What it cannot do:
//   - Templates know names and types, not meanings. Candidates that hold for the
//     inputs tried may be no laws.
//   - Type parameters have to be given; nothing is tried for a function whose
//     parameters cannot be named from within its package.
//   - Tests to paste compare composite values with reflect.DeepEqual, that is
//     without tolerance, and a nil slice there is no empty one.
//   - Property tests need inputs that can be drawn: no functions, interfaces,
//     channels, and no structs with unexported fields.
package relation
