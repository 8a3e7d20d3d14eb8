// Package entry reads the entries of a call and shows those of the diary. What a
// call says wrong of them is listed at once, and nothing is logged then.
//
// Read is where to start; ReadChanges is its counterpart for an entry that stands.
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

// at is the path of an item: "tags[2]".
func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// An Args is an entry as a call gives it.
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

// Read reads the entries of a call, and where each goes: that which stands
// beside the list comes first, if it says anything, on the day of the call. What
// says neither a date nor a time is there too, so that a bad one is told once.
func Read(p *days.Problems, beside Args, list []Args, day days.Chosen, c days.Present) ([]store.DayEntry, []days.Chosen) {
	entries, places := []store.DayEntry{}, []days.Chosen{}
	add := func(path string, one Args, where days.Chosen) {
		entries, places = append(entries, readEntry(p, path, one, where)), append(places, where)
	}
	if beside.saysSomething() {
		add("", beside, day)
	}
	for i, one := range list {
		path, where := at("entries", i)+".", day
		if !one.saysSomething() {
			p.Add(path+"text", "given, or a mood, an energy or metrics", one.Text)
		}
		all := one.beside(beside)
		if one.Date != "" || one.Time != "" && day.Date != "" {
			where = p.Choose(path, all.Date, all.Time, c)
		}
		add(path, all, where)
	}
	return entries, places
}

func (e Args) saysSomething() bool {
	return strings.TrimSpace(e.Text) != "" || e.Mood != 0 || e.Energy != 0 || len(e.Metrics) > 0
}

// beside is an entry of a list with what holds for all of them. Its own date
// without a time is not at theirs.
func (e Args) beside(all Args) Args {
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

// readEntry is an entry as it is to be kept.
func readEntry(p *days.Problems, path string, in Args, where days.Chosen) store.DayEntry {
	checkLabels(p, path, in.Type, in.Section, in.Tags, in.Links)
	p.Text(path+"text", in.Text)
	return store.DayEntry{
		Date: where.Date, Moment: where.Moment, Zone: where.Zone, Backfilled: where.Backfilled,
		Type: cmp.Or(strings.TrimSpace(in.Type), "note"), Section: in.Section, Text: in.Text, Mood: in.Mood, Energy: in.Energy,
		Metrics: readMetrics(p, path+"metrics", withValues(in.Metrics)), Tags: EachTag(in.Tags), Links: in.Links,
	}
}

// EachTag are tags of which one may be several: "work, home".
func EachTag(tags []string) []string {
	if len(tags) == 0 {
		return tags
	}
	return strings.Split(strings.Join(tags, ","), ",")
}

// withValues are the metrics that have a value.
func withValues(metrics map[string]any) map[string]any {
	maps.DeleteFunc(metrics, func(_ string, value any) bool { return value == nil })
	return metrics
}

// checkLabels checks what an entry is found by.
func checkLabels(p *days.Problems, path, kind, section string, tags, links []string) {
	if kind != "" {
		CheckName(p, path+"type", kind)
	}
	p.Line(path+"section", section, store.MaxLabel)
	checkCount(p, path+"tags", len(tags), store.MaxTags)
	for i, tag := range tags[:min(len(tags), store.MaxTags)] {
		p.Line(at(path+"tags", i), tag, store.MaxLabel)
	}
	checkCount(p, path+"links", len(links), store.MaxLinks)
	for i, link := range links[:min(len(links), store.MaxLinks)] {
		CheckLink(p, at(path+"links", i), link)
	}
}

// CheckName checks the name of a type or a metric.
func CheckName(p *days.Problems, path, name string) {
	if _, err := store.Name(name); err != nil {
		p.Add(path, "a name of 1 to "+strconv.Itoa(store.MaxName)+" letters, digits and underscores, such as \"sleep_hours\"", name)
	}
}

func checkCount(p *days.Problems, path string, n, most int) {
	if n > most {
		p.Add(path, "at most "+strconv.Itoa(most), strconv.Itoa(n)+" of them")
	}
}

// CheckLink checks that a link leads to something that KOTA has. Whether it is there
// is not looked up: a log must not wait for a mailbox.
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

// readMetrics checks metrics, and returns them as they are kept.
func readMetrics(p *days.Problems, path string, metrics map[string]any) map[string]any {
	checkCount(p, path, len(metrics), store.MaxMetrics)
	if len(metrics) > store.MaxMetrics {
		return nil
	}
	read, from := make(map[string]any, len(metrics)), make(map[string]string, len(metrics))
	for _, given := range slices.Sorted(maps.Keys(metrics)) {
		value := metrics[given]
		checkMetric(p, path+"."+given, given, value)
		name, _ := store.Name(given)
		switch other, twice := from[name]; {
		case name == "mood" || name == "energy":
			p.Add(path+"."+given, "given as "+name+", from 1 to 5, beside the metrics", given)
		case twice:
			p.Add(path+"."+given, "another name than "+strconv.Quote(other)+": both are kept as "+name, given)
		}
		read[given], from[name] = value, given
	}
	return read
}

func checkMetric(p *days.Problems, path, name string, value any) {
	if _, err := store.Name(name); err != nil {
		CheckName(p, path, name)
		return
	}
	switch v := value.(type) {
	case bool, nil: // an edit takes one away by null, which says nothing in a log
		return
	case float64:
		if math.Abs(v) <= store.MaxMetric {
			return
		}
	}
	raw, _ := metadata.Plain(value)
	p.Add(path, "a number from -1e15 to 1e15, true or false", string(raw))
}
