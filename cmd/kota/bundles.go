package main

import (
	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
)

// bundles returns all there are, on or off. They are made once: describing
// their types takes a while.
func (a *app) bundles() []bundles.Bundle {
	a.constructing.Do(func() { a.all = a.construct() })
	return a.all
}

// construct is the list. A new bundle is a package, a line here and an entry
// in bundles.yaml.
func (a *app) construct() []bundles.Bundle {
	return []bundles.Bundle{
		memory.New(memory.Deps{DB: a.openDB, Now: a.now, Similar: a.similarMemories}),
		daily.New(a.day()),
		gmail.New(a.mail()),
		calendar.New(a.calendar()),
	}
}
