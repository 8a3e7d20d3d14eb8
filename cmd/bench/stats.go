package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// quantile is the smallest value that at least the share q of all, one or more, reaches.
func quantile[T cmp.Ordered](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

func median[T cmp.Ordered](values []T) T { return quantile(values, .5) }

// A contender is one of the things that are measured in turns.
type contender struct {
	name string
	once func() (time.Duration, error)
}

// inTurns measures every contender once a round, in changing order, and returns the times
// of each, by round.
func inTurns(rounds int, contenders []contender) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(contenders))
	order := rand.New(rand.NewPCG(1, uint64(rounds)))
	for range rounds {
		for _, i := range order.Perm(len(contenders)) {
			d, err := contenders[i].once()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", contenders[i].name, err)
			}
			took[i] = append(took[i], d)
		}
	}
	return took, nil
}

// medianRatio is the median of the ratios of a to b, round by round.
func medianRatio(a, b []time.Duration) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = float64(a[i]) / float64(b[i])
	}
	return median(ratios)
}

// ratio is a as a multiple of b.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// µs is d in microseconds.
func µs(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// ms is d in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
