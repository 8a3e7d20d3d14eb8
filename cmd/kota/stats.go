package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/costs"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"
)

func newUsageStats(a *app.App) *cobra.Command {
	var (
		days          int
		asJSON, clear bool
	)
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show what is used how often, and what it costs in tokens",
		Long: `Show how often each action was found by a search, read up on and called, by which
door, which errors it answered and about how many tokens that took; and what the
listing of the tools costs a client's model beside that of all of them. KOTA
counts these things in its own database alone, never what is asked or answered;
` + "`usage: off`" + ` in bundles.yaml ends it. A running server writes its counts every
few seconds.`,
		Example: "  kota stats\n  kota stats --days 7 --json\n  kota stats --clear",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 1 || days > store.UsageDays {
				return mistake.Errorf("--days takes a number from 1 to %d", store.UsageDays)
			}
			router, err := a.Router()
			if err != nil {
				return err
			}
			if clear {
				return clearUsage(cmd.Context(), a)
			}
			report, err := costs.CountUsage(cmd.Context(), a, router, days)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(report)
			}
			return costs.PrintUsage(a, report)
		},
	}
	cmd.Flags().IntVar(&days, "days", 30, fmt.Sprintf("of how many days, today included; at most %d are kept", store.UsageDays))
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&clear, "clear", false, "forget all that was counted")
	return cmd
}

func clearUsage(ctx context.Context, a *app.App) error {
	if err := a.Policy().Permit("kota stats --clear", metadata.Writes); err != nil {
		return err
	}
	usage, err := a.Usage(ctx)
	if errors.Is(err, app.ErrNoDatabase) {
		_, err = fmt.Fprintln(a.Stdout, "Nothing was counted.")
		return err
	}
	if err != nil {
		return err
	}
	if err := usage.Clear(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, "What was counted is forgotten.")
	return err
}
