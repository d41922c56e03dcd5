// Package relationtest is for the tests of package relation and of those that make
// relations: modules out of txtar archives, files that register relations, and the go
// command in such modules.
package relationtest
