package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/metadata/docs"
)

func newContext(a *app.App) *cobra.Command {
	var (
		budget int
		format string
	)
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Print what KOTA can do, for agents that do not speak MCP",
		Long: `Print the whole catalogue, for agents that do not speak MCP but can run
commands. With --budget the text is kept within about that many tokens: every
bundle is always named, and as many as fit are shown with signatures or in full.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if budget < 0 {
				return mistake.Errorf("--budget takes a number of tokens, 0 for no bound")
			}
			router, err := a.Router()
			if err != nil {
				return err
			}
			switch format {
			case "md":
				_, err = fmt.Fprint(a.Stdout, docs.Context(router.EnabledBundles(), budget))
				return err
			case "json":
				return a.PrintJSON(docs.ContextJSON(router.EnabledBundles(), budget))
			}
			return mistake.Errorf("--format takes md or json, not %q", format)
		},
	}
	cmd.Flags().IntVar(&budget, "budget", 0, "about how many tokens it may take; 0 is no bound")
	cmd.Flags().StringVar(&format, "format", "md", "md or json")
	complete(cmd, "format", "md", "json")
	return cmd
}
