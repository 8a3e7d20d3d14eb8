package report

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Quantile returns the smallest value such that at least the share q of all
// values is equal to it or smaller. There must be at least one value.
func Quantile[T cmp.Ordered](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

func Median[T cmp.Ordered](values []T) T { return Quantile(values, .5) }

// Contender is one of several things measured in turns.
type Contender struct {
	Name    string
	Measure func() (time.Duration, error)
}

// InTurns measures every contender once a round, in changing order. It
// returns a list of times for each contender, with one time per round.
func InTurns(rounds int, contenders []Contender) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(contenders))
	order := rand.New(rand.NewPCG(1, uint64(rounds)))
	for range rounds {
		for _, i := range order.Perm(len(contenders)) {
			d, err := contenders[i].Measure()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", contenders[i].Name, err)
			}
			took[i] = append(took[i], d)
		}
	}
	return took, nil
}

// MedianRatio returns the median of the ratios of a to b, round by round.
func MedianRatio(a, b []time.Duration) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = float64(a[i]) / float64(b[i])
	}
	return Median(ratios)
}

// Ratio returns a as a multiple of b.
func Ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// Us returns d in microseconds.
func Us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// Ms returns d in milliseconds.
func Ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
