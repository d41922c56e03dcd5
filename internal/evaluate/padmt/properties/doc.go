// Package properties has, for the functions of package programs, metamorphic relations and a
// generator of inputs. The relations follow from the descriptions and from mathematics; they
// were written before any mutant was made.
package properties
