package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
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
	"kota/store/sqlite"
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

// spanFlags are the days that a command is of.
type spanFlags struct{ from, to string }

func (s *spanFlags) of(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.from, "from", "", `the first day: "2026-11-01", "last month"`)
	cmd.Flags().StringVar(&s.to, "to", "", "the last day")
}

// open reads the days and opens the database.
func (s spanFlags) open(cmd *cobra.Command, a *app.App) (*sqlite.DB, export.Selection, error) {
	if err := a.Load(); err != nil {
		return nil, export.Selection{}, err
	}
	days, err := daily.Between(a.DailyDeps(), s.from, s.to)
	if invalid := (*metadata.Error)(nil); errors.As(err, &invalid) {
		return nil, days, mistake.Errorf("--%s", invalid.Message)
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
		span   spanFlags
	)
	cmd := &cobra.Command{
		Use:   "export [FILE | -]",
		Short: "Write the diary to FILE, or to stdout",
		Long: `Write the diary to FILE, or to stdout. The format is json, md or csv; without
--format the ending of FILE decides. csv has the entries alone, and so has an
export of some days. FILE must not exist and is readable by its owner alone.`,
		Example: "  kota daily export diary.json\n  kota daily export --format md --from \"last month\" | less",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := dailyFormat(format, args)
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
	span.of(cmd)
	return cmd
}

func dailyFormat(format string, args []string) (string, error) {
	if format == "" && len(args) == 1 && args[0] != "-" {
		format = strings.TrimPrefix(filepath.Ext(args[0]), ".")
	}
	if format == "" {
		return export.JSON, nil
	}
	if !slices.Contains(export.Formats, format) {
		return "", mistake.Errorf("there is no format %q; there are %s", format, strings.Join(export.Formats, ", "))
	}
	return format, nil
}

func exportDays(a *app.App, cmd *cobra.Command, db *sqlite.DB, days export.Selection, format string, args []string) error {
	n, bar := 0, a.Progress("exporting", -1)
	write := func(w io.Writer) (err error) {
		n, err = export.Write(cmd.Context(), sqlite.NewDiary(db, app.Owner), w, format, days, bar.At)
		bar.End()
		return err
	}
	if len(args) == 0 || args[0] == "-" {
		return safefile.Buffered(a.Stdout, write)
	}
	if err := safefile.Create(args[0], write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", metadata.Counted(n, "entry"), args[0])
	return err
}

func newDailyChart(a *app.App) *cobra.Command {
	var span spanFlags
	cmd := &cobra.Command{
		Use:   "chart METRIC FILE.svg | FILE.png",
		Short: "Draw a metric over the days",
		Long: `Draw a metric of the diary over the days, with a point for the mean of each day
and a line through days that follow each other. METRIC is mood, energy or a
metric that was logged; of one that is true or false the mean is the share of
true. FILE must not exist; its ending says what is drawn.`,
		Example: "  kota daily chart mood mood.svg\n  kota daily chart sleep_hours sleep.png --from \"last month\"",
		Args:    exactly(2, "a metric and a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			metric, file := args[0], args[1]
			format, err := chart.FormatOf(file)
			if err != nil {
				return err
			}
			if _, err := store.Name(metric); err != nil {
				return mistake.Errorf("%q is no name of a metric, such as mood or sleep_hours", metric)
			}
			db, days, err := span.open(cmd, a)
			if err != nil {
				return err
			}
			series, err := daily.Measure(cmd.Context(), sqlite.NewDiary(db, app.Owner), metric, days)
			if err != nil {
				return err
			}
			if len(series.Days) == 0 {
				return noValues(metric, series.Names)
			}
			if err := safefile.Create(file, func(w io.Writer) error { return format.Draw(w, metric, series.Days) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "Drew %s to %s, days with a value: %d.\n", metric, file, len(series.Days))
			return err
		},
	}
	span.of(cmd)
	return cmd
}

func noValues(metric string, names []string) error {
	if len(names) == 0 {
		return errors.New("no metric is logged on these days: nothing was drawn")
	}
	return fmt.Errorf("%q is not logged on these days: nothing was drawn; there are %s", metric, strings.Join(names, ", "))
}
