package report

import (
	"slices"
	"testing"
	"time"
)

func TestQuantiles(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = 100 - i
	}
	for _, c := range []struct {
		name   string
		values []int
		q      float64
		want   int
	}{
		{"of one value are that value", []int{7}, .99, 7},
		{"do not need their values sorted", []int{9, 1, 5}, .5, 5},
		{"leave one of a hundred above the 99th", hundred, .99, 99},
		{"are the greatest at 1", hundred, 1, 100},
		{"are the least at 0", hundred, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.values)
			if got := Quantile(c.values, c.q); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if !slices.Equal(c.values, before) {
				t.Error("the values were reordered, and rounds no longer belong together")
			}
		})
	}
}

func TestMeasureInTurnsRunsEveryContenderEachRound(t *testing.T) {
	asked := [3]int{}
	contenders := make([]Contender, len(asked))
	for i := range contenders {
		contenders[i] = Contender{"", func() (time.Duration, error) {
			asked[i]++
			return time.Duration(i), nil
		}}
	}
	took, err := InTurns(5, contenders)
	if err != nil {
		t.Fatal(err)
	}
	for i := range contenders {
		if want := slices.Repeat([]time.Duration{time.Duration(i)}, 5); asked[i] != 5 || !slices.Equal(took[i], want) {
			t.Errorf("contender %d was asked %d times and took %v, want %v", i, asked[i], took[i], want)
		}
	}
}
