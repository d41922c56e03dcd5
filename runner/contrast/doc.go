// Package contrast learns what tells the inputs for which base and head differ from those
// for which they do not.
//
// # How
//
// For the operation of a reached finding, inputs are made: as relations get them
// (calls.Search.Sources), and by changing one literal at a time of the finding's own
// sequence. Both versions run them, and each becomes a row: whether the versions differ,
// the arguments of the last call, and the branches that it took on either version. Plain
// things that may be said of a row are features: a number is negative or above a bound, a
// text is empty or contains a letter, two arguments are equal, a condition was true.
//
// What is learnt is the shortest conjunction of features that holds for all rows that differ
// and for no other; where there is none, a feature without which none differs and that
// leaves out a third of the others. It was learnt on some inputs, and is told only if it
// holds without exception for others that are made afterwards.
//
// # What it cannot do
//
// Arguments that earlier calls made are not looked into, nor are receivers, unless branches
// tell. Inputs with a number, a text or a truth value that an earlier call made are left out. What is told is true of the inputs that were made, by the hundred; it is no proof.
// What was seen only after the call, as where memory is shared, is left out, and so is what
// draws random numbers.
package contrast
