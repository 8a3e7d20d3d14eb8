package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/doctor"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
)

func newDoctor(a *app.App) *cobra.Command {
	var asJSON, reindex bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the configuration, files, database, clients, Google and the clock",
		Long: `Check the configuration, the files and their permissions, the database and the disk,
the accounts and the configuration of clients, and say how to fix problems. If an
account is signed in, check that Google answers, and compare the clock with
Google's. If the HTTP server has an issuer, check that it answers. Nothing else is
sent to Google. The exit status is 1 when a check fails, 2 when bundles.yaml has a
mistake.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reindex && a.Load() == nil { // Examine reports a mistake in bundles.yaml
				if err := buildIndex(cmd.Context(), a); err != nil {
					return fmt.Errorf("%w; the search index was not rebuilt. Run `kota doctor`", err)
				}
			}
			findings, wrong := doctor.Examine(a, cmd.Context())
			for i, f := range findings {
				findings[i].Saw, findings[i].Remedy = a.Advise(f.Saw), a.Advise(f.Remedy)
			}
			if asJSON {
				if err := a.PrintJSON(map[string]any{"version": app.Version, "findings": findings}); err != nil {
					return err
				}
			} else if err := printFindings(a, findings); err != nil {
				return err
			}
			if wrong != nil { // the findings say what is wrong
				return mistake.Errorf("kota: doctor: some checks failed")
			}
			for _, f := range findings {
				if !f.OK {
					return errors.New("doctor: some checks failed")
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.Flags().BoolVar(&reindex, "reindex", false, "first rebuild the search index")
	return cmd
}

func printFindings(a *app.App, findings []doctor.Finding) error {
	out := &term.CheckedWriter{To: a.Stdout}
	for _, f := range findings {
		mark := "ok  "
		switch {
		case !f.OK:
			mark = "FAIL"
		case f.Note:
			mark = "note"
		}
		fmt.Fprintf(out, "%s  %-14s %s\n", mark, f.Check, f.Saw)
		if f.Remedy != "" {
			fmt.Fprintf(out, "                     %s\n", f.Remedy)
		}
	}
	return out.Err
}

// buildIndex rebuilds the search index.
func buildIndex(ctx context.Context, a *app.App) error {
	bar := a.Progress("indexing", 0)
	defer bar.End()
	return a.RebuildIndex(ctx, bar.UpdateTotal)
}
