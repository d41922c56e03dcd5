package config

import "github.com/isodelta/isodelta/internal/config/nearest"

func didYouMean(word string, candidates []string) string { return nearest.DidYouMean(word, candidates) }
