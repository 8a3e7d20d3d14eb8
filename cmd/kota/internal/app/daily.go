package app

import (
	"log/slog"
	"time"

	"kota/bundles/daily"
	"kota/bundles/daily/sources"
	"kota/bundles/staged"
)

// DailyDeps returns what the daily bundle needs.
func (a *App) DailyDeps() daily.Deps {
	return daily.Deps{
		Diary: a.diary, Stages: a.stageStore, Now: a.Now,
		Zone:      a.Zone,
		DayStarts: func() time.Duration { return a.Config.DayStarts },
		Templates: func() []staged.DocumentType { return a.Config.Templates },
		Sources:   sources.Set{Events: a.dayEvents, Mail: a.dayMail, Memories: a.dayMemories, Linked: a.linkTarget},
		Log:       func() *slog.Logger { return a.Log },
	}
}
