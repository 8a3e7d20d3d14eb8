// Package entry checks the entries of a call, and converts stored entries to rows for an
// answer. If a call has problems, the package reports all of them together, and the call
// stores no entry.
//
// Start at Read. ReadChanges does the same for the changes of an existing entry.
package entry

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/metadata"
	"kota/store"
)

// itemPath returns the path of an item: "tags[2]".
func itemPath(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// Args are the fields of an entry in a call.
type Args struct {
	Text    string
	Type    string
	Date    string
	Time    string
	Section string
	Mood    int
	Energy  int
	Metrics map[string]any
	Tags    []string
	Links   []string
}

// Read reads the entries of a call and returns the day of each. If the fields beside the
// list have content, they become the first entry, on day. An item with neither a date nor
// a time is on that day too, so that an invalid day is reported only once.
func Read(p *days.Problems, defaults Args, list []Args, day days.EntryTime, c days.CallTime) ([]store.DayEntry, []days.EntryTime) {
	entries, times := []store.DayEntry{}, []days.EntryTime{}
	add := func(path string, one Args, where days.EntryTime) {
		entries, times = append(entries, readEntry(p, path, one, where)), append(times, where)
	}
	if defaults.hasContent() {
		add("", defaults, day)
	}
	for i, one := range list {
		path, where := itemPath("entries", i)+".", day
		if !one.hasContent() {
			p.Add(path+"text", "given, or a mood, an energy or metrics", one.Text)
		}
		all := one.withDefaults(defaults)
		if one.Date != "" || one.Time != "" && day.Date != "" {
			where = p.Choose(path, all.Date, all.Time, c)
		}
		add(path, all, where)
	}
	return entries, times
}

func (e Args) hasContent() bool {
	return strings.TrimSpace(e.Text) != "" || e.Mood != 0 || e.Energy != 0 || len(e.Metrics) > 0
}

// withDefaults fills in an item's empty type, section, date, time, tags and links from the
// common fields. The common time does not apply to an item with its own date.
func (e Args) withDefaults(all Args) Args {
	e.Type, e.Section = cmp.Or(e.Type, all.Type), cmp.Or(e.Section, all.Section)
	if e.Date == "" {
		e.Date, e.Time = all.Date, cmp.Or(e.Time, all.Time)
	}
	if len(e.Tags) == 0 {
		e.Tags = all.Tags
	}
	if len(e.Links) == 0 {
		e.Links = all.Links
	}
	return e
}

// readEntry returns the entry to store.
func readEntry(p *days.Problems, path string, in Args, where days.EntryTime) store.DayEntry {
	checkLabels(p, path, in.Type, in.Section, in.Tags, in.Links)
	p.Text(path+"text", in.Text)
	return store.DayEntry{
		Date: where.Date, Moment: where.Moment, Zone: where.Zone, Backfilled: where.Backfilled,
		Type: cmp.Or(strings.TrimSpace(in.Type), "note"), Section: in.Section, Text: in.Text, Mood: in.Mood, Energy: in.Energy,
		Metrics: readMetrics(p, path+"metrics", withValues(in.Metrics)), Tags: SplitTags(in.Tags), Links: in.Links,
	}
}

// SplitTags splits tags such as "work, home".
func SplitTags(tags []string) []string {
	if len(tags) == 0 {
		return tags
	}
	return strings.Split(strings.Join(tags, ","), ",")
}

// withValues removes the metrics without a value.
func withValues(metrics map[string]any) map[string]any {
	maps.DeleteFunc(metrics, func(_ string, value any) bool { return value == nil })
	return metrics
}

// checkLabels checks the type, section, tags and links.
func checkLabels(p *days.Problems, path, kind, section string, tags, links []string) {
	if kind != "" {
		CheckName(p, path+"type", kind)
	}
	p.Line(path+"section", section, store.MaxLabel)
	checkCount(p, path+"tags", len(tags), store.MaxTags)
	for i, tag := range tags[:min(len(tags), store.MaxTags)] {
		p.Line(itemPath(path+"tags", i), tag, store.MaxLabel)
	}
	checkCount(p, path+"links", len(links), store.MaxLinks)
	for i, link := range links[:min(len(links), store.MaxLinks)] {
		CheckLink(p, itemPath(path+"links", i), link)
	}
}

// CheckName checks the name of a type or a metric.
func CheckName(p *days.Problems, path, name string) {
	if _, err := store.NormalizeName(name); err != nil {
		p.Add(path, "a name of 1 to "+strconv.Itoa(store.MaxName)+" letters, digits and underscores, such as \"sleep_hours\"", name)
	}
}

func checkCount(p *days.Problems, path string, n, most int) {
	if n > most {
		p.Add(path, "at most "+strconv.Itoa(most), strconv.Itoa(n)+" of them")
	}
}

// CheckLink checks the form of a link. It does not look up the target: logging must not
// wait for a mailbox.
func CheckLink(p *days.Problems, path, link string) {
	kind, to, _ := strings.Cut(strings.TrimSpace(link), ":")
	switch {
	case kind != "memory" && kind != "event" && kind != "mail", strings.TrimSpace(to) == "":
		p.Add(path, `"memory:" with a key, "event:" with an id or "mail:" with an id`, link)
	case len(link) > store.MaxLink:
		p.Add(path, "at most "+strconv.Itoa(store.MaxLink)+" bytes", link)
	default:
		p.Line(path, link, store.MaxLink)
	}
}

// readMetrics checks metrics and returns them under their given names. It
// returns nil if there are too many.
func readMetrics(p *days.Problems, path string, metrics map[string]any) map[string]any {
	checkCount(p, path, len(metrics), store.MaxMetrics)
	if len(metrics) > store.MaxMetrics {
		return nil
	}
	read, from := make(map[string]any, len(metrics)), make(map[string]string, len(metrics))
	for _, given := range slices.Sorted(maps.Keys(metrics)) {
		value := metrics[given]
		checkMetric(p, path+"."+given, given, value)
		name, _ := store.NormalizeName(given)
		switch other, twice := from[name]; {
		case name == "mood" || name == "energy":
			p.Add(path+"."+given, "given as "+name+", from 1 to 5, beside the metrics", given)
		case twice:
			p.Add(path+"."+given, "another name than "+strconv.Quote(other)+": both are stored as "+name, given)
		}
		read[given], from[name] = value, given
	}
	return read
}

func checkMetric(p *days.Problems, path, name string, value any) {
	if _, err := store.NormalizeName(name); err != nil {
		CheckName(p, path, name)
		return
	}
	switch v := value.(type) {
	case bool, nil: // in an edit null removes a metric; Read drops it before
		return
	case float64:
		if math.Abs(v) <= store.MaxMetric {
			return
		}
	}
	raw, _ := metadata.Plain(value)
	p.Add(path, "a number from -1e15 to 1e15, true or false", string(raw))
}
