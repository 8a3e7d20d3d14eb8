package daily

import (
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/zoned"
)

// datesOf reads a day, a week or a month as its first and its last date. Words
// such as "yesterday" and "last week" are seen from today, which begins when the
// user's day starts. It notes what is none of these.
func (d *daily) datesOf(p *arguments.Problems, path, text string) (first, last string) {
	today, _ := d.dayOf(d.Now().In(d.Zone()))
	noon, err := time.Parse(time.DateOnly+" 15", today+" 12")
	if err != nil {
		p.Add(path, "a date that there is", today)
		return "", ""
	}
	m, err := zoned.Parse(strings.TrimSpace(text), zoned.Context{Now: noon, Zone: time.UTC})
	if err != nil || !m.Date {
		p.Add(path, `a date such as "2026-11-24", or words such as "yesterday"`, text)
		return "", ""
	}
	return zoned.Date(m.Time), zoned.Date(m.End.AddDate(0, 0, -1))
}
