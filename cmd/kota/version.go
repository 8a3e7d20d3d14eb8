package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
)

func newVersion(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "kota %s %s %s/%s\n", app.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
