// Package goexpr rewrites Go expressions that are kept as texts, so that they can
// stand in another file: names of the surroundings are spelled as they are there.
//
// An expression is parsed and walked with its own scopes, such as those of function
// literals. Identifiers that it does not declare itself are spelled anew; fields,
// methods and keys of structs are none of them. All else stays as it was written,
// but for comments and line breaks. Nothing is type-checked.
//
// What it cannot do:
//   - In a composite literal of a map whose type is left out because it stands in
//     another literal, keys that are plain names are taken for fields.
//   - Labels keep their names.
package goexpr
