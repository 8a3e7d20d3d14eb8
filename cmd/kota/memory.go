package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/safefile"
	"kota/metadata"
	"kota/store"
	memorystore "kota/store/tables/memory"
)

func newMemory(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Export, import and count memories, and decrypt secrets",
		Args:  noArgs,
	}
	cmd.AddCommand(newExport(a), newImport(a), newStats(a), newUnseal(a))
	return cmd
}

func newExport(a *app.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export [FILE | -]",
		Short: "Write all memories to FILE, or to stdout",
		Long: `Write all memories to FILE, or to stdout. The format is json, jsonl or md; without
--format the extension of FILE decides. json and jsonl can be imported again. FILE
must not exist; only its owner can read it. Secrets are not exported; KOTA prints how
many there are.`,
		Example: "  kota memory export memories.json\n  kota memory export --format md | less",
		Args:    atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := formatOf(format, args, memory.Formats)
			if err != nil {
				return err
			}
			return exportMemories(a, cmd, format, args)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "json, jsonl or md")
	complete(cmd, "format", memory.Formats...)
	return cmd
}

func exportMemories(a *app.App, cmd *cobra.Command, format string, args []string) error {
	if len(args) == 1 && args[0] == "-" {
		args = nil
	}
	if err := a.Load(); err != nil {
		return err
	}
	db, err := a.OpenDB(cmd.Context())
	if err != nil {
		return err
	}
	done := memory.ExportCounts{}
	bar := a.Progress("exporting", -1)
	write := func(w io.Writer) (err error) {
		defer bar.End()
		done, err = memory.Export(cmd.Context(), memorystore.New(db, app.Owner), w, format, bar.Update)
		return err
	}
	if len(args) == 0 {
		err = safefile.Buffered(a.Stdout, write)
	} else if err = safefile.Create(args[0], write); err == nil {
		_, err = fmt.Fprintf(a.Stdout, "Exported %s to %s.\n", metadata.CountOf(done.Written, "memory"), args[0])
	}
	if err == nil && done.Secrets > 0 {
		backups := "`kota backup`"
		if a.Config.HasServer() {
			backups = "of the database server, see docs/how-to/backup.md"
		}
		err = a.PrintAdvised(a.Stderr, "Secrets that were not exported: %d. Backups contain them, encrypted (%s); `kota call memory_get query=KEY` shows one.\n", done.Secrets, backups)
	}
	return err
}

// formatOf returns the format of an export. If format is "", the extension of
// the file decides. If there is no file, or the file has no extension, the format
// is the first of known.
func formatOf(format string, args, known []string) (string, error) {
	if file := fileArg(args); format == "" && file != "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(file), "."))
	}
	if format == "" {
		return known[0], nil
	}
	if !slices.Contains(known, format) {
		return "", mistake.Errorf("unknown format %q; known: %s", format, strings.Join(known, ", "))
	}
	return format, nil
}

func newImport(a *app.App) *cobra.Command {
	var (
		rule   string
		dryRun bool
	)
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Read memories from FILE, or from stdin when FILE is -",
		Long: `Read memories from FILE: an export of KOTA (json, jsonl), or the JSONL file of
@modelcontextprotocol/server-memory. The whole file is checked before anything is
written. A memory that is a secret here stays a secret.`,
		Example: "  kota memory import memories.json --dry-run\n  kota memory import memory.jsonl --on-conflict append",
		Args:    exactArgs(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(memory.ConflictRules, rule) {
				return mistake.Errorf("--on-conflict takes %s, not %q", strings.Join(memory.ConflictRules, ", "), rule)
			}
			return importFile(a, cmd, args[0], rule, dryRun)
		},
	}
	cmd.Flags().StringVar(&rule, "on-conflict", memory.Skip, "for a key that exists: skip, replace or append")
	complete(cmd, "on-conflict", memory.ConflictRules...)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would happen, and write nothing")
	return cmd
}

func importFile(a *app.App, cmd *cobra.Command, name, rule string, dryRun bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	if err := a.Policy().Permit("kota memory import", metadata.Writes); err != nil && !dryRun {
		return err
	}
	in := a.Input(cmd.Context())
	if name != "-" {
		file, err := mistake.OpenFile(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	} else {
		piped := bufio.NewReader(in)
		if _, err := piped.Peek(1); errors.Is(err, io.EOF) {
			return mistake.Errorf("stdin was empty; nothing was imported")
		}
		in = piped
	}
	db, err := a.OpenDB(cmd.Context())
	if err != nil {
		return err
	}
	bar := a.Progress("importing", 0)
	done := memory.ImportCounts{}
	err = a.RecordCommand(cmd.Context(), "kota memory import", metadata.Writes, func(ctx context.Context) (err error) {
		done, err = memory.Import(ctx, memorystore.New(db, app.Owner), in, rule, dryRun, a.Now(), bar.UpdateTotal)
		return err
	})
	bar.End()
	if err != nil {
		return err
	}
	return a.PrintJSON(done)
}

func newStats(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count memories, versions and bytes",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			stats, err := memory.Stats(cmd.Context(), memorystore.New(db, app.Owner))
			if err != nil {
				return err
			}
			return a.PrintJSON(stats)
		},
	}
	addJSON(new(bool), cmd) // JSON is its only output
	return cmd
}

// fileArg returns the file in the first argument. It returns "" if there is no
// argument or it is "-", which means stdout.
func fileArg(args []string) string {
	if len(args) == 0 || args[0] == "-" {
		return ""
	}
	return args[0]
}

func atMostOneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return mistake.Errorf("%s takes at most one file.\nSee `%s --help`.", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

func newUnseal(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "unseal KEY",
		Short: "Store a secret memory in plain text from now on",
		Long: `Store a secret memory in plain text from now on: it is searched, listed and exported
like any other. This cannot be undone. KOTA asks you first, on a terminal; without a
terminal, pass --yes. No tool does this, so an assistant cannot do it.`,
		Example: "  kota memory unseal 'bank pin'\n  kota memory unseal 'bank pin' --yes",
		Args:    exactArgs(1, "the key of one memory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota memory unseal", metadata.Writes); err != nil {
				return err
			}
			db, err := a.OpenDB(cmd.Context())
			if err != nil {
				return err
			}
			found, err := memorystore.New(db, app.Owner).Get(cmd.Context(), args[0])
			if err == nil && !found.Secret {
				_, err = fmt.Fprintf(a.Stdout, "%q is not a secret; nothing was done.\n", found.Key)
				return err
			}
			if err == nil {
				err = confirmUnseal(cmd.Context(), a, args[0], yes)
			}
			if err != nil {
				return unsealError(err, args[0])
			}
			err = a.RecordCommand(cmd.Context(), "kota memory unseal", metadata.Writes, func(ctx context.Context) error {
				_, err := memorystore.New(db, app.Owner).Update(ctx, store.Edit{Key: args[0], Unseal: true})
				return err
			})
			if err != nil {
				return unsealError(err, args[0])
			}
			_, err = fmt.Fprintf(a.Stdout, "%q is no longer a secret.\n", args[0])
			return err
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// unsealError returns NOT_FOUND with the key for an error about a memory that does
// not exist. It returns other errors unchanged.
func unsealError(err error, key string) error {
	if errors.Is(err, store.ErrNotFound) {
		return metadata.Errorf(metadata.NotFound, "there is no memory %q", key).WithHint("Find it with `kota call memory_list`.")
	}
	return err
}

// confirmUnseal returns nil if the user agrees to store a secret in plain text,
// or if yes is true. Piped input is not an answer of the user.
func confirmUnseal(ctx context.Context, a *app.App, key string, yes bool) error {
	switch {
	case yes:
		return nil
	case !a.CanAsk():
		return mistake.Errorf("KOTA needs a terminal to ask you, so nothing was done. `kota memory unseal %s --yes` does it without asking.", bundles.ShellWord(key))
	case !a.Confirm(ctx, fmt.Sprintf("%q will be stored in plain text from now on: searched, listed and exported like any other memory. This cannot be undone.", bundles.Clean(key))):
		return metadata.Errorf(metadata.Refused, "nothing was done; %q stays a secret", key)
	}
	return nil
}
