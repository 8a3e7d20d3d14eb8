package main

import (
	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/costs"
)

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
