// Package nearest finds the known word that a mistyped one was meant to be. It
// counts the letters to insert, delete, replace and swap, ignoring case. It
// compares spellings only; it knows nothing of meanings.
package nearest
