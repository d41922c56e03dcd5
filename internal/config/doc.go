// Package config reads .isodelta.yml, the settings that a repository commits.
//
// Load looks for the file in a directory and then upwards to the repository's
// root; the nearest one counts, alone: files are not merged, so that one file
// says everything. Command-line flags override single keys (Overrides), and
// what neither sets has the value of Default.
//
// Where head is not trusted, Protect joins its settings with base's: one table
// (guard.go) says for every key what head may do, which is never to make a check
// greener. It is a function of two Configs alone, so that whoever has both texts
// can use it, from git objects (Find, Parse) or from GitHub's API.
//
// One table (keys.go) holds every key with its type, its allowed values and its
// description. The reader, the flags and the JSON schema (Schema) all follow
// it, so they cannot disagree. Every error names file and line, says what was
// wanted, and for an unknown key names the nearest known one; all errors of a
// file are reported at once. What stands in the file is not repeated in them, but
// for the names of keys: they are printed into public logs, and a pull request
// chooses what the file is. For the same reason only a regular file is read,
// without following links, with a limit and without waiting (Folder).
//
// The reader walks yaml.v3's node tree and does not decode into structs:
// KnownFields would reject unknown keys too, but it names Go types instead of
// keys, stops at the first mistake in a mapping, and lets 010 or yes become
// something else than was written. A second document, which yaml.v3 silently
// ignores, is an error here; so are duplicate keys, merge keys (<<) and files
// above 1 MiB.
//
// What it cannot do: it does not know which packages, tests or tags exist. A
// pattern that matches nothing is found when the packages are loaded.
package config
