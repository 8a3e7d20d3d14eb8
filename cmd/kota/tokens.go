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
		Long: `Show what tools/list costs a client's model in each mode of ` + "`expose:`" + `, per bundle
and per tool, beside the two levels on which discovery tells of an action: one
line, and all that most calls need. The break-even says how many actions a
conversation may search for, or search for and read up on, before listing all of
them would have been cheaper. It counts what this configuration and profile show.`,
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
