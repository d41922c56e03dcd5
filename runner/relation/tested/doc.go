// Package tested finds metamorphic relations in tests.
package tested
