package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kota/store"
)

// A finding is what the doctor saw of one thing.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Saw    string `json:"saw"`
	Remedy string `json:"remedy,omitempty"`
}

func newDoctor(a *app) *cobra.Command {
	var asJSON, reindex bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the configuration, the files and the database",
		Long: `Check the configuration, the files and the database, and say what to do where
something is wrong. The exit status is 1 when a check fails.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reindex {
				if err := a.reindex(cmd.Context()); err != nil {
					return err
				}
			}
			findings := a.examine(cmd.Context())
			if asJSON {
				if err := a.printJSON(map[string]any{"version": version, "findings": findings}); err != nil {
					return err
				}
			} else {
				a.printFindings(findings)
			}
			for _, f := range findings {
				if !f.OK {
					return errors.New("doctor: not everything is well")
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.Flags().BoolVar(&reindex, "reindex", false, "first build the search index anew")
	return cmd
}

func (a *app) printFindings(findings []finding) {
	for _, f := range findings {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		fmt.Fprintf(a.stdout, "%s  %-14s %s\n", mark, f.Check, f.Saw)
		if f.Remedy != "" {
			fmt.Fprintf(a.stdout, "                     %s\n", f.Remedy)
		}
	}
}

// examine runs every check that the ones before it allow.
func (a *app) examine(ctx context.Context) []finding {
	if err := a.load(); err != nil {
		return []finding{{Check: "configuration", Saw: err.Error(), Remedy: "Mend the file; the repository's bundles.yaml shows every key."}}
	}
	found := []finding{{Check: "configuration", OK: true, Saw: a.configName()}, a.examineHome()}
	if _, err := a.router(); err != nil {
		return append(found, finding{Check: "bundles", Saw: err.Error()})
	}
	found = append(found, finding{Check: "bundles", OK: true, Saw: a.enabledBundles()})
	if _, err := os.Stat(a.dbPath()); errors.Is(err, os.ErrNotExist) {
		return append(found, finding{Check: "database", OK: true, Saw: a.dbPath() + " is made on the first write"})
	}
	db, err := a.openDB(ctx)
	if err != nil {
		return append(found, finding{Check: "database", Saw: err.Error(), Remedy: "Nothing was changed. Copies made before upgrades lie beside it; `kota backup` copies are whole."})
	}
	found = append(found, finding{Check: "database", OK: true, Saw: a.dbPath()}, filesystemFinding(db.Filesystem()))
	return append(found, examineTables(ctx, db), examineIndex(ctx, db))
}

func examineTables(ctx context.Context, db *store.DB) finding {
	const remedy = "`kota memory export` still reads what can be read; `kota backup` copies are whole."
	problems, err := db.Check(ctx)
	switch {
	case err != nil:
		return finding{Check: "integrity", Saw: err.Error(), Remedy: remedy}
	case len(problems) > 0:
		return finding{Check: "integrity", Saw: strings.Join(problems, "; "), Remedy: remedy}
	}
	return finding{Check: "integrity", OK: true, Saw: "the tables are whole"}
}

func examineIndex(ctx context.Context, db *store.DB) finding {
	if err := db.CheckIndex(ctx); err != nil {
		return finding{Check: "search index", Saw: err.Error(), Remedy: "Run: kota doctor --reindex"}
	}
	return finding{Check: "search index", OK: true, Saw: "it says what the tables say"}
}

// reindex builds the search index anew from the tables.
func (a *app) reindex(ctx context.Context) error {
	if err := a.load(); err != nil {
		return err
	}
	db, err := a.openDB(ctx)
	if err != nil {
		return err
	}
	bar := a.progress("indexing", 0)
	defer bar.end()
	return db.Reindex(ctx, bar.of)
}

func (a *app) enabledBundles() string {
	var on []string
	for _, b := range a.bundles() {
		if a.config.Bundles[b.Key].Enabled {
			on = append(on, b.Key)
		}
	}
	if len(on) == 0 {
		return "none is on"
	}
	return strings.Join(on, ", ")
}

func filesystemFinding(network string) finding {
	if network == "" {
		return finding{Check: "file system", OK: true, Saw: "local"}
	}
	return finding{
		Check: "file system", OK: true, Saw: network + ", a network file system: the write-ahead log is off there",
		Remedy: "It is safe but slow, and one computer at a time should use it. A KOTA_HOME on a local disk is better.",
	}
}

func (a *app) examineHome() finding {
	f := finding{Check: "home", OK: true, Saw: a.config.Home}
	info, err := os.Stat(a.config.Home)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f.Saw += " is made on the first write"
	case err != nil:
		f.OK, f.Saw = false, err.Error()
	case !info.IsDir():
		f.OK, f.Saw, f.Remedy = false, a.config.Home+" is not a folder", "Set KOTA_HOME to a folder."
	case info.Mode().Perm()&0o077 != 0:
		f.OK, f.Saw = false, fmt.Sprintf("%s may be entered by others (mode %04o)", a.config.Home, info.Mode().Perm())
		f.Remedy = "Run: chmod 700 " + a.config.Home
	}
	return f
}
