// Package regular reads files in folders that hostile code can write to. A name
// there may have become a pipe, which blocks whoever opens it, a link to a file
// of somebody else, or a device without end.
package regular
