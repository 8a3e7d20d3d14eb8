package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/usage"
	"kota/store"
	usagestore "kota/store/tables/usage"
)

// countUses enables the counting of uses, unless bundles.yaml disables it. Under a
// profile that only reads, uses are not counted: such a process writes nothing.
func (a *App) countUses(o *pipeline.Options) {
	if !a.Config.Usage {
		return
	}
	o.Pairs = a.usedPairs
	if !o.Policy.ReadsOnly() {
		a.usage = usage.NewCounter(a.LocalNow, a)
		o.Usage = a.usage
	}
}

// Today returns the date in the user's time zone.
func (a *App) Today() string { return a.LocalNow().Format(time.DateOnly) }

// AddUsage adds counts to the database. It returns ErrNoDatabase if there is no
// database.
func (a *App) AddUsage(ctx context.Context, counts usage.Counts) error {
	rows, err := a.Usage(ctx)
	if err != nil {
		return err
	}
	used := make([]store.UsageCount, 0, len(counts.Lines))
	for line, count := range counts.Lines {
		used = append(used, store.UsageCount{
			Day: line.Day, Tool: line.Tool, Channel: string(line.Channel), Code: string(line.Code),
			Count: int64(count.Times), TokensIn: int64(count.TokensIn), TokensOut: int64(count.TokensOut),
		})
	}
	pairs := make([]store.ToolPair, 0, len(counts.Pairs))
	for pair, times := range counts.Pairs {
		pairs = append(pairs, store.ToolPair{Tool: pair[0], Other: pair[1], Count: int64(times)})
	}
	return rows.Add(ctx, a.Today(), used, pairs)
}

// Usage returns the counts in the database. It returns ErrNoDatabase if there
// is no database.
func (a *App) Usage(ctx context.Context) (*usagestore.Store, error) {
	db, err := a.OpenExisting(ctx)
	if err != nil {
		return nil, err
	}
	return usagestore.New(db, Owner), nil
}

// flushUsage writes the last counts at the end of the program. It gives up
// after maxWait.
func (a *App) flushUsage() {
	const maxWait = 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	if err := a.usage.Flush(ctx); err != nil && !errors.Is(err, ErrNoDatabase) {
		a.Log.Debug("usage was not counted", "cause", err)
	}
}

// ServerOptions returns the options of an MCP server that lists the actions as
// expose says. Under `expose: auto` the actions most used before today come
// first, if usage is on. The listing thus stays the same for a whole day.
func (a *App) ServerOptions(ctx context.Context, expose mcpserver.Expose) mcpserver.Options {
	o := mcpserver.Options{
		Version: Version, Expose: expose, CoreTools: a.Config.CoreTools, Budget: a.Config.ToolBudget,
		Structured: a.Config.Structured, StagedListing: a.Config.StagedListing, Watcher: a,
	}
	if o.Expose == mcpserver.ExposeAuto && a.Config.Usage {
		o.Used = a.mostUsed(ctx)
	}
	return o
}

// mostUsed returns the tools called with success in the 90 days before today:
// the most called first, then by name. It returns none if the counts cannot be
// read.
func (a *App) mostUsed(ctx context.Context) []string {
	const days = 90
	used, err := a.UsedBetween(ctx, a.LocalNow().AddDate(0, 0, -days).Format(time.DateOnly), a.Today())
	if err != nil {
		a.Log.Warn("usage cannot be read: the tools are listed as if they had never been used", "cause", err)
	}
	return mostCalled(used)
}

// mostCalled returns the tools called with success: the most called first, then
// by name.
func mostCalled(used []store.UsageCount) []string {
	calls := map[string]int64{}
	for _, row := range used {
		channel := entrypoint.Channel(row.Channel)
		if row.Code == "" && row.Count > 0 && channel != entrypoint.ByDiscover && channel != entrypoint.ByDescribe {
			calls[row.Tool] += row.Count
		}
	}
	return slices.SortedFunc(maps.Keys(calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(calls[b], calls[a]), cmp.Compare(a, b))
	})
}

// CountsUsage reports whether uses are counted.
func (a *App) CountsUsage() bool { return a.usage != nil }

// usedPairs returns how often tools were called soon after one another. It
// returns none if the counts cannot be read.
func (a *App) usedPairs(ctx context.Context) map[[2]string]int {
	usage, err := a.Usage(ctx)
	if err != nil {
		return nil
	}
	pairs, err := usage.Pairs(ctx)
	if err != nil {
		a.Log.Debug("usage cannot be read", "cause", err)
	}
	times := map[[2]string]int{}
	for _, pair := range pairs {
		times[[2]string{pair.Tool, pair.Other}] = int(pair.Count)
	}
	return times
}

// UsedBetween returns the counts of the days from first to the day before end.
// Both are dates such as 2026-11-01. It returns none if there is no database.
func (a *App) UsedBetween(ctx context.Context, first, end string) ([]store.UsageCount, error) {
	usage, err := a.Usage(ctx)
	if errors.Is(err, ErrNoDatabase) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return usage.Between(ctx, first, end)
}
