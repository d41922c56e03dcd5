// Command evaluate prints the numbers of docs/evaluation.md:
//
//	go run ./internal/evaluate automr [flags]
//	go run ./internal/evaluate commits [flags]
//	go run ./internal/evaluate genmorph [flags]
//	go run ./internal/evaluate ison [flags]
//	go run ./internal/evaluate kmr [flags]
//	go run ./internal/evaluate padmt [flags]
//	go run ./internal/evaluate promotion [flags]
//	go run ./internal/evaluate reach [flags]
//	go run ./internal/evaluate relations [flags]
//	go run ./internal/evaluate calls [flags]
//	go run ./internal/evaluate speed [flags]
//
// Each evaluation makes its subjects at run time, prints its tables, and ends
// with name=value lines for scripts. What it measures, and what it cannot, is
// said in the package of the same name below this folder.
package main
