package doctor

import (
	"context"
	"strings"

	"kota/bundles/calendar"
	"kota/cmd/kota/internal/app"
	"kota/store/engine"
	"kota/store/tables/undo"
)

// examineSeries looks for changes of series that were interrupted when KOTA
// ended.
func examineSeries(ctx context.Context, db engine.DB) Finding {
	f := Finding{Check: "series", OK: true, Saw: "no change of a series is incomplete"}
	left, err := calendar.UnfinishedSplits(ctx, undo.New(db, app.Owner, "calendar"))
	switch {
	case err != nil:
		return Finding{Check: "series", Saw: err.Error(), Remedy: "See the checks above."}
	case len(left) > 0:
		f.OK, f.Saw = false, strings.Join(left, "\n"+strings.Repeat(" ", 21))
		f.Remedy = "Run `kota call calendar_undo`, which lists them, and `kota call calendar_undo undo_id=ID`."
	}
	return f
}
