package main

import (
	"time"

	"kota/bundles/daily"
)

// day is what the daily bundle needs.
func (a *app) day() daily.Deps {
	return daily.Deps{
		DB: a.openDB, Now: a.now,
		Zone:      func() *time.Location { return a.config.zone() },
		DayStarts: func() time.Duration { return a.config.DayStarts },
	}
}
