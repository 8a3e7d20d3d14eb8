package prefill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// quoteEntries returns the entries of a period with their ids: for a day by section, for a week
// or month by day. Each day shows at most an equal share of maxEntries, and says how many
// entries it leaves out.
func (g Gatherer) quoteEntries(ctx context.Context, diary Diary, p days.Period) (string, error) {
	facts, err := diary.Days(ctx, rows.EntriesBetween(p.From(), p.To()))
	if err != nil {
		return "", err
	}
	if len(facts) == 0 {
		return "Nothing was logged.", nil
	}
	total := 0
	for _, day := range facts {
		total += day.Entries
	}
	mostPerDay := maxEntries
	if total > maxEntries {
		mostPerDay = max(1, maxEntries/len(facts))
	}
	blocks := []string{}
	for _, day := range facts {
		entries, _, err := diary.Entries(ctx, store.EntryFilter{From: day.Date, To: day.Date}, store.EntryPage{Limit: max(1, day.Entries)})
		if err != nil {
			return "", err
		}
		shown := selectEntries(entries, mostPerDay)
		for _, e := range shown {
			untrusted.MarkDiary(ctx, e.Source) // marks the flow's answer as untrusted
		}
		if p.Unit == days.Day {
			blocks = append(blocks, bySection(shown))
		} else {
			blocks = append(blocks, "### "+days.InWords(day.Date)+"\n\n"+strings.Join(lines(shown, true), "\n"))
		}
		if more := len(entries) - len(shown); more > 0 {
			blocks = append(blocks, fmt.Sprintf("… and %d more on %s.", more, day.Date))
		}
	}
	return strings.Join(blocks, "\n\n"), nil
}

// selectEntries returns at most that many entries of a day, in their order. It leaves out food
// and drink first.
func selectEntries(entries []*store.DayEntry, most int) []*store.DayEntry {
	if len(entries) <= most {
		return entries
	}
	eaten := []string{"food", "drink", "snack", "supplement"}
	chosen := slices.Clone(entries)
	slices.SortStableFunc(chosen, func(a, b *store.DayEntry) int {
		switch first, second := slices.Contains(eaten, a.Type), slices.Contains(eaten, b.Type); {
		case first == second:
			return 0
		case second:
			return -1
		}
		return 1
	})
	left := chosen[most:]
	return slices.DeleteFunc(slices.Clone(entries), func(e *store.DayEntry) bool { return slices.Contains(left, e) })
}

// bySection groups lines under their section names. Lines without a section come first.
func bySection(entries []*store.DayEntry) string {
	of := map[string][]*store.DayEntry{}
	sections := []string{}
	for _, e := range entries {
		if of[e.Section] == nil {
			sections = append(sections, e.Section)
		}
		of[e.Section] = append(of[e.Section], e)
	}
	slices.SortStableFunc(sections, func(a, b string) int { return cmp.Compare(min(1, len(a)), min(1, len(b))) })
	blocks := []string{}
	for _, section := range sections {
		if section != "" {
			blocks = append(blocks, "### "+htmltext.Line(section))
		}
		blocks = append(blocks, strings.Join(lines(of[section], false), "\n"))
	}
	return strings.Join(blocks, "\n\n")
}

// lines formats entries: "- 08:10 food: porridge (mood 4 of 5, fibre 8)
// [e7k2m9x]".
func lines(entries []*store.DayEntry, withSection bool) []string {
	quotes := []string{}
	for _, e := range entries {
		quotes = append(quotes, line(e, withSection))
	}
	return quotes
}

func line(e *store.DayEntry, withSection bool) string {
	said := "-"
	if at := rows.TimeOf(e); at != "" {
		said += " " + at
	}
	if withSection && e.Section != "" {
		said += " " + htmltext.Line(e.Section) + ","
	}
	if e.Type != "note" {
		said += " " + e.Type + ":"
	}
	if e.Text != "" {
		said += " " + htmltext.Short(e.Text, maxQuoteLength)
	}
	if facts := factsOf(e); len(facts) > 0 {
		said += " (" + strings.Join(facts, ", ") + ")"
	}
	return strings.TrimSuffix(said, ":") + " [" + e.ID + "]"
}

// factsOf returns the mood, the energy and the first maxMetrics metrics of an
// entry.
func factsOf(e *store.DayEntry) []string {
	facts := []string{}
	for _, scale := range []struct {
		name  string
		value int
	}{{"mood", e.Mood}, {"energy", e.Energy}} {
		if scale.value > 0 {
			facts = append(facts, fmt.Sprintf("%s %d of 5", scale.name, scale.value))
		}
	}
	names := []string{}
	for name := range e.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names[:min(maxMetrics, len(names))] {
		switch value := e.Metrics[name].(type) {
		case float64:
			facts = append(facts, name+" "+formatNumber(value))
		case bool:
			facts = append(facts, name+" "+map[bool]string{true: "yes", false: "no"}[value])
		}
	}
	return facts
}
