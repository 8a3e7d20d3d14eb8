package app

import (
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
)

// Bundles returns all bundles, enabled or not. They are built once, because
// describing their types is slow.
func (a *App) Bundles() []bundles.Bundle {
	a.constructing.Do(func() { a.all = a.construct() })
	return a.all
}

// construct builds all bundles. A new bundle needs a package, a line here and
// an entry in bundles.yaml.
func (a *App) construct() []bundles.Bundle {
	return []bundles.Bundle{
		a.made("memory", func() bundles.Bundle {
			return memory.New(memory.Deps{Memories: a.memories, Now: a.Now, Zone: a.Zone, Similar: a.similarMemories})
		}),
		a.made("daily", func() bundles.Bundle { return daily.New(a.DailyDeps()) }),
		a.made("gmail", func() bundles.Bundle { return gmail.New(a.MailDeps()) }),
		a.made("calendar", func() bundles.Bundle { return calendar.New(a.CalendarDeps()) }),
	}
}
