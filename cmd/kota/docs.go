package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/metadata"
	"kota/metadata/docs"
)

const docsHead = `# Bundles

This page is generated from what the bundles declare, with ` + "`kota docs`" + `.

`

func newDocs(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "docs",
		Short: "Print the reference of all bundles as Markdown",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			shipped, err := config.Default(app.KnownBundles(a.Bundles()))
			if err != nil {
				return err
			}
			described := make([]metadata.Bundle, 0, len(a.Bundles()))
			for _, b := range a.Bundles() {
				b.Bundle.Enabled = shipped.Bundles[b.Key].Enabled
				described = append(described, b.Bundle)
			}
			_, err = fmt.Fprint(a.Stdout, docsHead+docs.Markdown(described, docs.Full))
			return err
		},
	}
}
