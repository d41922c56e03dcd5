// Package spelling finds the known word that a mistyped one was meant to be.
//
// Distance counts the letters to insert, delete, replace and swap, ignoring case
// and taking - and _ for the same. It compares spellings only; it knows nothing of
// meanings.
package spelling
