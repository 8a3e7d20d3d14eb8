package diary

import "kota/store"

// entryTable stores entries.
var entryTable = table[store.DayEntry]{
	table: "entries", prefix: store.EntryPrefix, index: &entryIndex,
	columns: "date, moment, zone, type, section, text, mood, energy, metrics, tags, links, backfilled, source",
	fields: func(e *store.DayEntry) []any {
		return []any{
			&e.Date, asMillis{&e.Moment}, &e.Zone, &e.Type, &e.Section, &e.Text, orNull{&e.Mood}, orNull{&e.Energy},
			asJSON[map[string]any]{&e.Metrics}, asJSON[[]string]{&e.Tags}, asJSON[[]string]{&e.Links}, &e.Backfilled, &e.Source,
		}
	},
	row: func(e *store.DayEntry) *store.Row { return &e.Row },
}
