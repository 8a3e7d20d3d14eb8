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
		Long: `Print the whole catalogue, for agents that do not speak MCP but can run commands.
With --budget the text has at most about that many tokens: every bundle is named,
and as many as fit are shown with signatures or in full.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if budget < 0 {
				return mistake.Errorf("--budget takes a number of tokens; 0 means no limit")
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
	cmd.Flags().IntVar(&budget, "budget", 0, "the approximate maximum number of tokens; 0 means no limit")
	cmd.Flags().StringVar(&format, "format", "md", "md or json")
	complete(cmd, "format", "md", "json")
	return cmd
}
