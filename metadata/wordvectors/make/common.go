package main

import (
	"math"

	"kota/metadata/wordvectors"
)

// commonDirections is the number of directions that removeCommon removes.
const commonDirections = 2

// removeCommon removes from all vectors their mean and the directions in which they differ most.
// These directions say how frequent a word is more than what it means: Mu and Viswanath,
// "All-but-the-Top", 2018. It then scales the vectors to the length 1.
func removeCommon(words []wordvectors.Word) {
	mean := make([]float64, wordvectors.Dims)
	for _, w := range words {
		add(mean, w.Vector, 1/float64(len(words)))
	}
	for _, w := range words {
		add(w.Vector, mean, -1)
	}
	for range commonDirections {
		direction := mainDirection(words)
		for _, w := range words {
			add(w.Vector, direction, -dot(w.Vector, direction))
		}
	}
	for _, w := range words {
		normalize(w.Vector)
	}
}

// mainDirection returns the direction of the largest variance, by power iteration.
func mainDirection(words []wordvectors.Word) []float64 {
	direction := make([]float64, wordvectors.Dims)
	for i := range direction {
		direction[i] = 1
	}
	for range 50 {
		next := make([]float64, wordvectors.Dims)
		for _, w := range words {
			add(next, w.Vector, dot(direction, w.Vector))
		}
		normalize(next)
		direction = next
	}
	return direction
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// add adds a multiple of b to a.
func add(a, b []float64, factor float64) {
	for i, x := range b {
		a[i] += factor * x
	}
}

func normalize(a []float64) {
	if length := math.Sqrt(dot(a, a)); length > 0 {
		for i := range a {
			a[i] /= length
		}
	}
}
