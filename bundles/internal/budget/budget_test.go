package budget_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kota/bundles/internal/budget"
)

func TestSizeCountsCharactersOfJSON(t *testing.T) {
	for _, c := range []struct {
		v    any
		want int
	}{
		{"", 2}, {"é🍝", 4}, {"a\nb", 6}, {"<a>", 5}, {map[string]int{"a": 1}, 7}, {make(chan int), 0},
	} {
		if got := budget.Size(c.v); got != c.want {
			t.Errorf("%v: got %d, want %d", c.v, got, c.want)
		}
	}
}

func TestDivideGivesUnusedSpaceToOthers(t *testing.T) {
	for _, c := range []struct {
		needs        []int
		space, least int
		want         []int
	}{
		{[]int{}, 100, 10, []int{}},
		{[]int{10, 1000, 20}, 100, 5, []int{10, 70, 20}},
		{[]int{1000, 1000}, 100, 5, []int{50, 50}},
		{[]int{3, 1000, 1000}, -100, 5, []int{3, 5, 5}},
		{[]int{0, 40}, 40, 5, []int{0, 40}},
	} {
		if got := budget.Divide(c.needs, c.space, c.least); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d: got %v, want %v", c.needs, c.space, got, c.want)
		}
	}
}

func TestDivideIsFair(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		needs := make([]int, 1+random.IntN(8))
		total := 0
		for i := range needs {
			needs[i] = random.IntN(500)
			total += needs[i]
		}
		space := random.IntN(2000)
		given := budget.Divide(needs, space, 0)
		sum, most := 0, slices.Max(given)
		for i, g := range given {
			sum += g
			if g < 0 || g > needs[i] {
				t.Fatalf("%v in %d: got %v", needs, space, given)
			}
			if g < needs[i] && g < most-len(needs) { // except for the remainder of the division
				t.Fatalf("%v in %d: got %v, where one has less than another", needs, space, given)
			}
		}
		if sum > space || total <= space && sum != total || total > space && space-sum >= len(needs) {
			t.Fatalf("%v in %d: got %v", needs, space, given)
		}
	}
}
