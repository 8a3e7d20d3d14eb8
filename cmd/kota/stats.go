package main

import (
	"context"
	"errors"
	"fmt"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/costs"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata"
	"kota/store"

	"github.com/spf13/cobra"
)

func newUsageStats(a *app.App) *cobra.Command {
	var (
		days          int
		asJSON, clear bool
	)
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show how often actions are used, and what they cost in tokens",
		Long: `Show how often each action was found by a search, described and called: by which
channel, with which errors, and with about how many tokens. Also show how many
tokens the listing of the tools costs a client's model, compared with listing all of
them. KOTA counts only in its own database and never stores what is asked or
answered; ` + "`usage: off`" + ` in bundles.yaml turns it off. A running server writes its counts
every few seconds.`,
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
	cmd.Flags().IntVar(&days, "days", 30, fmt.Sprintf("the number of days, including today; counts are kept for %d days", store.UsageDays))
	addJSON(&asJSON, cmd)
	cmd.Flags().BoolVar(&clear, "clear", false, "delete all counts")
	return cmd
}

func clearUsage(ctx context.Context, a *app.App) error {
	if err := a.Policy().Permit("kota stats --clear", metadata.Writes); err != nil {
		return err
	}
	usage, err := a.Usage(ctx)
	if errors.Is(err, app.ErrNoDatabase) {
		_, err = fmt.Fprintln(a.Stdout, "There were no counts to delete.")
		return err
	}
	if err != nil {
		return err
	}
	if err := usage.Clear(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.Stdout, "All counts were deleted.")
	return err
}

func newTokens(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tokens",
		Short: "Show what each way of listing the tools costs a model",
		Long: `Show what tools/list costs a client's model in each mode of ` + "`expose:`" + `, per bundle and
per tool, for this configuration and profile.

The first table has a line per mode. TOKENS is the size of its listing, TOKENS SAVED
the difference to listing all tools. A conversation with fewer searches than
BREAK-EVEN SEARCHES costs less than listing all tools; WITH DESCRIPTION is the same
if each search is followed by a description.

The other tables have the tokens of each tool in the listing, of its line in a search
result, and of its description with the usual arguments.`,
		Example: "  kota tokens\n  kota tokens --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			router, err := a.Router()
			if err != nil {
				return err
			}
			report, err := costs.PriceTools(cmd.Context(), a, router)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(report)
			}
			return costs.PrintTokens(a, report)
		},
	}
	addJSON(&asJSON, cmd)
	return cmd
}
