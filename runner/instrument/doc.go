// Package instrument rewrites the sources of a loaded tree so that one build
// serves every variant.
package instrument
