// Package isomorph compares two versions of a module.
package isomorph
