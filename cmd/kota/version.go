package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is KOTA's, as CHANGELOG.md has it.
const version = "0.1.0"

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "kota %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
