package main

import (
	"log/slog"
	"time"

	"kota/bundles/daily"
	"kota/bundles/staged"
)

// day is what the daily bundle needs.
func (a *app) day() daily.Deps {
	return daily.Deps{
		Diary: a.diary, Stages: a.flows, Now: a.now,
		Zone:      a.zone,
		DayStarts: func() time.Duration { return a.config.DayStarts },
		Templates: func() []staged.DocumentType { return a.config.Templates },
		Sources:   daily.Sources{Events: a.dayEvents, Mail: a.dayMail, Memories: a.dayMemories, Linked: a.dayLinked},
		Log:       func() *slog.Logger { return a.log },
	}
}
