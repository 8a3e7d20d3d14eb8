package slots_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/slots"
	"kota/bundles/internal/timeparse"
	"kota/store/faulttest"
)

// zones have clocks that change by an hour, by half an hour, by a whole day, at
// midnight, and never.
var zones = []string{
	"Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "Asia/Kathmandu", "America/Santiago",
	"Africa/Casablanca", "Asia/Tokyo", "UTC", "America/St_Johns", "Pacific/Chatham", "Asia/Beirut",
}

// clockChanges are moments at which clocks change somewhere.
var clockChanges = []string{
	"2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z", "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z",
	"2011-12-30T10:00:00Z", "2026-02-15T02:00:00Z", "2026-09-06T04:00:00Z", "2026-10-24T21:00:00Z", "2026-03-28T22:00:00Z", "2027-06-15T12:00:00Z",
}

func location(t testing.TB, name string) *time.Location {
	zone, err := timeparse.Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

const minute = 60

// randomSearch generates a search around a change of clocks, all in whole minutes.
func randomSearch(t testing.TB, r *rand.Rand) slots.Search {
	edge, err := time.Parse(time.RFC3339, clockChanges[r.IntN(len(clockChanges))])
	if err != nil {
		t.Fatal(err)
	}
	pick := func(most int) int64 { return int64(r.IntN(most)) * minute }
	from := edge.Unix() - pick(18*60)
	s := slots.Search{
		From: from, To: from + pick(20*60) + 8*60*minute, Length: pick([]int{15, 60, 300}[r.IntN(3)]) + minute,
		Step: []int64{5, 7, 15, 30, 60, 45}[r.IntN(6)] * minute, Zone: location(t, zones[r.IntN(len(zones))]),
	}
	if r.IntN(2) == 0 {
		s.Before, s.After = pick(40), pick(40)
	}
	spans := func(most int) []slots.Span {
		list := []slots.Span{}
		for range r.IntN(most) {
			start := s.From - pick(120) + pick(int(s.To-s.From)/minute+240)
			list = append(list, slots.Span{From: start, To: start + pick([]int{10, 60, 400}[r.IntN(3)])})
		}
		return list
	}
	for range 1 + r.IntN(4) {
		p := slots.Person{Optional: r.IntN(3) == 0, Zone: location(t, zones[r.IntN(len(zones))]), Days: slots.Days(r.IntN(128)), Busy: spans(8)}
		if r.IntN(2) == 0 {
			p.Days = slots.AllDays
		}
		for range 1 + r.IntN(2) {
			open := r.IntN(24 * 60)
			p.Hours = append(p.Hours, slots.Range{Open: open, Close: open + 1 + r.IntN(20*60)})
		}
		if r.IntN(3) == 0 {
			p.Hours = slots.Always
		}
		if r.IntN(4) == 0 {
			p.Unknown = spans(3)
		}
		s.People = append(s.People, p)
	}
	return s
}

// offeredStarts returns each start that the slots offer, with the people it suits.
func offeredStarts(s slots.Search, found []slots.Slot) map[int64]string {
	starts := map[int64]string{}
	for _, slot := range found {
		for at := slot.Start.Unix(); at <= slot.Latest.Unix(); at += s.Step {
			if starts[at] != "" {
				starts[at] = "twice"
				continue
			}
			starts[at] = fmt.Sprint("unconfirmed ", slot.Unconfirmed, " without ", slot.Without)
		}
	}
	return starts
}

// bruteForce returns the same as offered, by checking everybody's clock in
// every minute.
func bruteForce(s slots.Search) map[int64]string {
	const margin = 60 // minutes: more than the buffers
	minutes := int(s.To-s.From) / minute
	type counts struct{ off, busy, unknown []int } // for how many minutes before this one it was so
	var all []counts
	for _, p := range s.People {
		c := counts{make([]int, minutes+2*margin+1), make([]int, minutes+2*margin+1), make([]int, minutes+2*margin+1)}
		for i := range minutes + 2*margin {
			at := s.From + int64(i-margin)*minute
			c.off[i+1] = c.off[i] + boolToInt(!worksAt(p, time.Unix(at, 0)))
			c.busy[i+1] = c.busy[i] + boolToInt(within(p.Busy, at))
			c.unknown[i+1] = c.unknown[i] + boolToInt(within(p.Unknown, at))
		}
		all = append(all, c)
	}
	length, before, after := int(s.Length)/minute, int(s.Before)/minute, int(s.After)/minute
	suits := make([]string, max(0, minutes-length+1)) // "" if somebody cannot come
	for i := range suits {
		start := i + margin
		unconfirmed, without, possible := []int{}, []int{}, true
		for who, c := range all {
			first, end := start-before, start+length+after
			can := c.off[start+length] == c.off[start] && c.busy[end] == c.busy[first]
			switch {
			case !can && !s.People[who].Optional:
				possible = false
			case !can:
				without = append(without, who)
			case c.unknown[end] != c.unknown[first]:
				unconfirmed = append(unconfirmed, who)
			}
		}
		if possible {
			suits[i] = fmt.Sprint("unconfirmed ", unconfirmed, " without ", without)
		}
	}
	starts := map[int64]string{}
	for first := 0; first < len(suits); {
		end := first
		for end < len(suits) && suits[end] == suits[first] {
			end++
		}
		before := len(starts)
		for i := first; i < end && suits[first] != ""; i++ {
			at := s.From + int64(i)*minute
			if local := time.Unix(at, 0).In(s.Zone); int64(local.Hour()*60+local.Minute())*minute%s.Step == 0 {
				starts[at] = suits[i]
			}
		}
		if suits[first] != "" && len(starts) == before {
			starts[s.From+int64(first)*minute] = suits[first]
		}
		first = end
	}
	return starts
}

func worksAt(p slots.Person, at time.Time) bool {
	local := at.In(p.Zone)
	shown, today := local.Hour()*60+local.Minute(), local.Weekday()
	for _, r := range p.Hours {
		if p.Days&(1<<today) != 0 && r.Open <= shown && shown < r.Close {
			return true
		}
		if yesterday := (today + 6) % 7; p.Days&(1<<yesterday) != 0 && r.Open <= shown+24*60 && shown+24*60 < r.Close {
			return true
		}
	}
	return false
}

func within(spans []slots.Span, at int64) bool {
	return slices.ContainsFunc(spans, func(s slots.Span) bool { return s.From <= at && at < s.To })
}

func boolToInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

func TestSlotsMatchMinuteByMinuteSearch(t *testing.T) {
	cases := faulttest.Sample(t, 2000, 10_000)
	some, unsure, partial := 0, 0, 0
	for seed := range uint64(cases) {
		s := randomSearch(t, rand.New(rand.NewPCG(seed, 4)))
		found := s.Find()
		got, want := offeredStarts(s, found), bruteForce(s)
		for at, how := range want {
			if got[at] != how {
				t.Fatalf("case %d: %s is %q, want %q\n%+v", seed, time.Unix(at, 0).In(s.Zone), got[at], how, s)
			}
		}
		for at, how := range got {
			if want[at] == "" {
				t.Fatalf("case %d: %s is offered, %q\n%+v", seed, time.Unix(at, 0).In(s.Zone), how, s)
			}
			some += boolToInt(how == "unconfirmed [] without []")
			unsure += boolToInt(!strings.HasPrefix(how, "unconfirmed []"))
			partial += boolToInt(!strings.HasSuffix(how, "without []"))
		}
		checkOrder(t, s, found)
	}
	if min(some, unsure, partial) < cases/4 {
		t.Errorf("the cases offer little: %d confirmed, %d unconfirmed, %d without somebody", some, unsure, partial)
	}
}

// checkOrder checks that the slots are sorted by the number of required people
// who are unconfirmed, fewest first. It also checks that the first and the last
// start time of each slot are on the same day.
func checkOrder(t *testing.T, s slots.Search, found []slots.Slot) {
	t.Helper()
	seen := 0
	for _, slot := range found {
		needed := 0
		for _, who := range slot.Unconfirmed {
			needed += boolToInt(!s.People[who].Optional)
		}
		if needed < seen {
			t.Fatalf("%+v comes after one with %d unconfirmed", slot, seen)
		}
		seen = needed
		_, first := slot.Start.Zone()
		_, last := slot.Latest.Zone()
		if first != last || slot.Start.Format(time.DateOnly) != slot.Latest.Format(time.DateOnly) || slot.Latest.Before(slot.Start) {
			t.Fatalf("one slot goes from %s to %s", slot.Start, slot.Latest)
		}
	}
}

func TestLongestGapMatchesMinuteByMinuteSearch(t *testing.T) {
	for seed := range uint64(1000) {
		s := randomSearch(t, rand.New(rand.NewPCG(seed, 5)))
		got := s.ExplainNoSlot().Gap
		best, run := int64(0), int64(0)
		for at := s.From; at < s.To; at += minute {
			run += minute
			for _, p := range s.People {
				near := slices.ContainsFunc(p.Busy, func(b slots.Span) bool {
					return b.From < b.To && b.From-s.After <= at && at < b.To+s.Before
				})
				if !p.Optional && (near || !worksAt(p, time.Unix(at, 0))) {
					run = 0
				}
			}
			best = max(best, run)
		}
		if got.To-got.From != best {
			t.Fatalf("case %d: got %d minutes, want %d\n%+v", seed, (got.To-got.From)/minute, best/minute, s)
		}
	}
}
