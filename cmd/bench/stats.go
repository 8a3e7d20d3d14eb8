package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// quantile returns the smallest value such that at least the share q of all
// values is equal to it or smaller. There must be at least one value.
func quantile[T cmp.Ordered](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

func median[T cmp.Ordered](values []T) T { return quantile(values, .5) }

// contender is one of several things measured in turns.
type contender struct {
	name    string
	measure func() (time.Duration, error)
}

// measureInTurns measures every contender once a round, in changing order. It
// returns a list of times for each contender, with one time per round.
func measureInTurns(rounds int, contenders []contender) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(contenders))
	order := rand.New(rand.NewPCG(1, uint64(rounds)))
	for range rounds {
		for _, i := range order.Perm(len(contenders)) {
			d, err := contenders[i].measure()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", contenders[i].name, err)
			}
			took[i] = append(took[i], d)
		}
	}
	return took, nil
}

// medianRatio returns the median of the ratios of a to b, round by round.
func medianRatio(a, b []time.Duration) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = float64(a[i]) / float64(b[i])
	}
	return median(ratios)
}

// ratio returns a as a multiple of b.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// µs returns d in microseconds.
func µs(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// ms returns d in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
