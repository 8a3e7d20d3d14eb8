package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kota/bundles/daily"
	"kota/bundles/daily/export"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/chart"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/diary"
)

func newDaily(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "daily",
		Short: "Export the diary, draw its metrics and erase what is in it",
		Args:  noArgs,
	}
	cmd.AddCommand(newDailyExport(a), newDailyChart(a), newDailyErase(a))
	return cmd
}

// dateRangeFlags are the flags for the days that a command concerns.
type dateRangeFlags struct{ from, to string }

func (s *dateRangeFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.from, "from", "", `the first day: "2026-11-01", "last month"`)
	cmd.Flags().StringVar(&s.to, "to", "", "the last day")
}

// open parses the days and opens the database.
func (s dateRangeFlags) open(cmd *cobra.Command, a *app.App) (app.Database, export.Selection, error) {
	if err := a.Load(); err != nil {
		return nil, export.Selection{}, err
	}
	days, err := daily.ParseSelection(a.DailyDeps(), s.from, s.to)
	if invalid := (*metadata.Error)(nil); errors.As(err, &invalid) {
		return nil, days, mistake.Errorf("--%s", strings.Replace(invalid.Message, " from,", " --from,", 1))
	}
	if err != nil {
		return nil, days, err
	}
	db, err := a.OpenDB(cmd.Context())
	return db, days, err
}

func newDailyExport(a *app.App) *cobra.Command {
	var (
		format string
		span   dateRangeFlags
	)
	cmd := &cobra.Command{
		Use:   "export [FILE | -]",
		Short: "Write the diary to FILE, or to stdout",
		Long: `Write the diary to FILE, or to stdout. The format is json, md or csv; without
--format the extension of FILE decides. csv, and an export of selected days, contain
only entries. FILE must not exist; only its owner can read it.`,
		Example: "  kota daily export diary.json\n  kota daily export --format md --from \"last month\" | less",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := formatOf(format, args, export.Formats)
			if err != nil {
				return err
			}
			db, days, err := span.open(cmd, a)
			if err != nil {
				return err
			}
			return exportDays(a, cmd, db, days, format, args)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "json, md or csv")
	complete(cmd, "format", export.Formats...)
	span.addTo(cmd)
	return cmd
}

func exportDays(a *app.App, cmd *cobra.Command, db app.Database, days export.Selection, format string, args []string) error {
	n, bar := 0, a.Progress("exporting", -1)
	write := func(w io.Writer) (err error) {
		n, err = export.Write(cmd.Context(), diary.New(db, app.Owner), w, format, days, bar.Update)
		bar.End()
		return err
	}
	if len(args) == 0 || args[0] == "-" {
		return safefile.Buffered(a.Stdout, write)
	}
	if err := safefile.Create(args[0], write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", metadata.CountOf(n, "entry"), args[0])
	return err
}

func newDailyChart(a *app.App) *cobra.Command {
	var span dateRangeFlags
	cmd := &cobra.Command{
		Use:   "chart METRIC FILE.svg | FILE.png",
		Short: "Draw a metric over the days",
		Long: `Draw a metric of the diary over the days, with a point for the mean of each day and
a line through consecutive days. METRIC is mood, energy or a logged metric. A yes/no
metric shows the share of yes. FILE must not exist; its extension chooses the format.`,
		Example: "  kota daily chart mood mood.svg\n  kota daily chart sleep_hours sleep.png --from \"last month\"",
		Args:    exactArgs(2, "a metric and a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			metric, file := args[0], args[1]
			format, err := chart.FormatOf(file)
			if err != nil {
				return err
			}
			if _, err := store.NormalizeName(metric); err != nil {
				return mistake.Errorf("%q is not the name of a metric; names are like mood or sleep_hours", metric)
			}
			db, days, err := span.open(cmd, a)
			if err != nil {
				return err
			}
			series, err := daily.Measure(cmd.Context(), diary.New(db, app.Owner), metric, days)
			if err != nil {
				return err
			}
			if len(series.Days) == 0 {
				return noValuesError(metric, series.Names)
			}
			if err := safefile.Create(file, func(w io.Writer) error { return format.Draw(w, metric, series.Days) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "Drew %s to %s; days with a value: %d.\n", metric, file, len(series.Days))
			return err
		},
	}
	span.addTo(cmd)
	return cmd
}

func noValuesError(metric string, names []string) error {
	if len(names) == 0 {
		return errors.New("no metric was logged on these days; nothing was drawn")
	}
	return fmt.Errorf("%q was not logged on these days, so nothing was drawn; logged metrics: %s", metric, strings.Join(names, ", "))
}

func newDailyErase(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "erase ID...",
		Short: "Erase entries, tasks and documents of the diary for good",
		Long: `Erase entries, tasks, plans and reviews of the diary for good, with all their
versions. This cannot be undone. Deleted ones can be erased too. ID is the id in the
answer of the call that created it. KOTA asks you first, on a terminal; without a
terminal, pass --yes. No tool does this, so an assistant cannot erase anything.`,
		Example: "  kota daily erase ejmbx4h\n  kota daily erase ejmbx4h t2qk8 --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return mistake.Errorf("%s needs the ids of what to erase.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota daily erase", metadata.Destroys); err != nil {
				return err
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			return eraseDays(cmd.Context(), a, diary.New(db, app.Owner), args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// eraseDays erases everything that the ids name, if the user agrees. It erases
// nothing if an id is unknown.
func eraseDays(ctx context.Context, a *app.App, diary *diary.Store, ids []string, yes bool) error {
	if _, err := diary.Erase(ctx, ids, true); err != nil {
		return notFoundError(err, ids)
	}
	if err := confirmErase(ctx, a, ids, yes); err != nil {
		return err
	}
	erased := store.EraseResult{}
	err := a.RecordCommand(ctx, "kota daily erase", metadata.Destroys, func(ctx context.Context) (err error) {
		erased, err = diary.Erase(ctx, ids, false)
		return err
	})
	if err != nil {
		return notFoundError(err, ids)
	}
	fmt.Fprintf(a.Stdout, "%s erased for good.\n", joinWithVerb(ids))
	if !erased.Complete {
		fmt.Fprintf(a.Stdout, "Parts of the text may still be in the database file: %s.\n", erased.Reason)
	}
	if len(erased.Copies) > 0 {
		fmt.Fprintf(a.Stdout, "Copies that may still contain it: %s.\n", strings.Join(erased.Copies, ", "))
	}
	return nil
}

// confirmErase returns nil if the user agrees to the erasure, or if yes is
// true.
func confirmErase(ctx context.Context, a *app.App, ids []string, yes bool) error {
	switch {
	case yes:
		return nil
	case !a.CanAsk():
		return mistake.Errorf("KOTA needs a terminal to ask you, so nothing was done. `kota daily erase %s --yes` does it without asking.", strings.Join(ids, " "))
	case !a.Confirm(ctx, fmt.Sprintf("%s going to be erased for good, with all versions. This cannot be undone.", joinWithVerb(ids))):
		return metadata.Errorf(metadata.Refused, "nothing was erased")
	}
	return nil
}

// joinWithVerb returns "e1 is", or "e1, t2 are".
func joinWithVerb(ids []string) string {
	if len(ids) == 1 {
		return ids[0] + " is"
	}
	return strings.Join(ids, ", ") + " are"
}

// notFoundError returns NOT_FOUND for an error about an unknown or invalid id.
// It returns other errors unchanged.
func notFoundError(err error, ids []string) error {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid) {
		return metadata.Errorf(metadata.NotFound, "the diary does not have all of %s; nothing was erased", strings.Join(ids, ", ")).
			WithHint("`kota daily export --format json` shows the ids.")
	}
	return err
}
