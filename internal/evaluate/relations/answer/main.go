package main

import (
	"encoding/gob"
	"fmt"
	"os"

	"github.com/isodelta/isodelta/internal/evaluate/relations/subjects"
)

// Question asks a subject for the outputs of inputs.
type Question struct {
	Subject string
	Inputs  [][]float64
}

func main() {
	var q Question
	if err := gob.NewDecoder(os.Stdin).Decode(&q); err != nil {
		fmt.Fprintln(os.Stderr, "answer: question:", err)
		os.Exit(1)
	}
	for _, s := range subjects.All() {
		if s.Name != q.Subject {
			continue
		}
		var outputs []float64
		for _, x := range q.Inputs {
			outputs = append(outputs, s.F(x, true))
		}
		if err := gob.NewEncoder(os.Stdout).Encode(outputs); err != nil {
			fmt.Fprintln(os.Stderr, "answer:", err)
			os.Exit(1)
		}
		return
	}
	fmt.Fprintf(os.Stderr, "answer: there is no %q\n", q.Subject)
	os.Exit(1)
}
