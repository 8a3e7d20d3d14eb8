package console

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/costs"
)

// The page Use counts the last useDays days, and draws the last useWeeks weeks.
const useDays, useWeeks = 30, 12

// showUse shows how often the tools were used and what they cost a model.
func (q *request) showUse() error {
	ctx := q.r.Context()
	used, err := costs.CountUses(ctx, q.app, useDays)
	if err != nil {
		return err
	}
	prices, err := q.prices.get(ctx, q.app, q.router)
	if err != nil {
		return err
	}
	page := view.Use{Days: useDays, Counting: used.Counting, Calls: used.Totals.Calls, TokensIn: used.Totals.TokensIn, TokensOut: used.Totals.TokensOut}
	for _, tool := range used.Actions {
		row := view.UsedTool{Tool: tool.Tool, Found: tool.Discovered + tool.Described, Calls: tool.Calls, TokensIn: tool.TokensIn, TokensOut: tool.TokensOut}
		for _, code := range slices.Sorted(maps.Keys(tool.Errors)) {
			row.Errors = append(row.Errors, view.UsedError{Code: code, Count: tool.Errors[code]})
		}
		page.Tools = append(page.Tools, row)
	}
	for _, mode := range prices.Modes {
		page.Modes = append(page.Modes, view.UseMode{Expose: string(mode.Expose), Current: mode.Current, Tools: mode.Tools, Tokens: mode.Tokens, Saved: mode.Saved, Searches: mode.BreakEvenDescribed})
	}
	if page.Answers, err = q.answerTokens(); err != nil {
		return err
	}
	return q.show(http.StatusOK, "Use", "use", func(p view.Page) templ.Component { return view.UsePage(p, page) })
}

// answerTokens returns the tokens of calls and answers of each of the last weeks.
func (q *request) answerTokens() (view.Series, error) {
	series := view.Series{Name: "tokens of calls and answers", Per: "week"}
	now := q.app.LocalNow()
	monday := now.AddDate(0, 0, -(int(now.Weekday())+6)%7)
	for week := useWeeks - 1; week >= 0; week-- {
		from := monday.AddDate(0, 0, -7*week)
		used, err := q.app.UsedBetween(q.r.Context(), from.Format(time.DateOnly), from.AddDate(0, 0, 7).Format(time.DateOnly))
		if err != nil {
			return series, err
		}
		tokens := int64(0)
		for _, row := range used {
			tokens += row.TokensIn + row.TokensOut
		}
		if tokens > 0 || len(series.Points) > 0 {
			series.Points = append(series.Points, view.Point{Label: from.Format("2 Jan"), Value: float64(tokens)})
		}
	}
	return series, nil
}
