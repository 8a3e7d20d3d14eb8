package app

import (
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/contacts"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
)

// Bundles returns all bundles, enabled or not. They are built once, because
// describing their types is slow.
func (a *App) Bundles() []bundles.Bundle {
	a.buildOnce.Do(func() {
		a.bundles = a.buildBundles()
		if a.operator == nil {
			return
		}
		for i, known := range a.operator.Bundles() {
			a.bundles[i].ShareMetadata(known)
		}
	})
	return a.bundles
}

// buildBundles builds all bundles. A new bundle needs a package, a line here and
// an entry in bundles.yaml.
func (a *App) buildBundles() []bundles.Bundle {
	return []bundles.Bundle{
		a.buildBundle("memory", func() bundles.Bundle {
			return memory.New(memory.Deps{Memories: a.Memories, Now: a.Now, Zone: a.Zone, Similar: a.similarMemories})
		}),
		a.buildBundle("daily", func() bundles.Bundle { return daily.New(a.DailyDeps()) }),
		a.buildBundle("gmail", func() bundles.Bundle { return gmail.New(a.MailDeps()) }),
		a.buildBundle("calendar", func() bundles.Bundle { return calendar.New(a.CalendarDeps()) }),
		a.buildBundle("contacts", func() bundles.Bundle { return contacts.New(a.ContactsDeps()) }),
	}
}
