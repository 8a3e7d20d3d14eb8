package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/outbox"
	"kota/entrypoint"
)

func newOutbox(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "outbox",
		Short: "See what was sent, and resolve what may not have been sent",
		Long: `See what was sent, and resolve what may not have been sent. Every mail and invitation
is stored in the outbox before it is sent, and its outcome afterwards. The outbox
keeps them for three months.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listOutbox(cmd.Context(), a, asJSON) },
	}
	addJSON(&asJSON, cmd)
	cmd.AddCommand(newOutboxList(a), newOutboxShow(a), newOutboxRetry(a), newOutboxDrop(a))
	return cmd
}

func newOutboxList(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the mails and invitations of the outbox, newest first",
		Long: `List the mails and invitations of the outbox, newest first. The status is sending,
sent, saved (as a draft), unknown (it may or may not have been sent), failed (it was
not sent) or dropped.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listOutbox(cmd.Context(), a, asJSON) },
	}
	addJSON(&asJSON, cmd)
	return cmd
}

func listOutbox(ctx context.Context, a *app.App, asJSON bool) error {
	if err := a.Load(); err != nil {
		return err
	}
	items, err := outbox.List(ctx, a)
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(map[string]any{"outbox": items})
	}
	return printOutbox(a, items)
}

func newOutboxShow(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show ID",
		Short:             "Show a mail or an invitation and what to do about it",
		Long:              `Show a mail or an invitation, its text if it is not sent yet, and what to do about it.`,
		Args:              exactArgs(1, "the id of one mail or invitation"),
		ValidArgsFunction: completeOutbox(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			item, err := outbox.Show(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(item)
			}
			return printItem(a, item)
		},
	}
	addJSON(&asJSON, cmd)
	return cmd
}

func newOutboxRetry(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "retry ID",
		Short: "Find out whether a mail or an invitation was sent, and send it if it was not",
		Long: `Find out whether a mail or an invitation was sent. KOTA looks for a mail in the drafts
and in Sent, and for an invitation in the calendar. If it was certainly not sent, KOTA
sends it now. The exit status is 1 when it was not sent, or when it is still unknown
whether it was. While that is unknown, nothing is sent.`,
		Args:              exactArgs(1, "the id of one mail or invitation"),
		ValidArgsFunction: completeOutbox(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			item, err := outbox.Retry(cmd.Context(), a, entrypoint.ByCLI, args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "%s is %s.\n", item.ID, statusText(item))
			return err
		},
	}
}

func newOutboxDrop(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drop ID",
		Short: "Drop a mail or an invitation that is not known to be sent",
		Long: `Drop a mail or an invitation that is not known to be sent. KOTA deletes the draft that
it saved for a mail. It does not delete your own drafts, nor a draft in a mailbox that
is not signed in. A mail that is being sent cannot be dropped.`,
		Args:              exactArgs(1, "the id of one mail or invitation"),
		ValidArgsFunction: completeOutbox(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			item, err := outbox.Drop(cmd.Context(), a, entrypoint.ByCLI, args[0])
			if err != nil {
				return err
			}
			message := item.ID + " is dropped."
			if item.Draft != "" {
				message += " Its draft " + item.Draft + " stays in Gmail."
			}
			_, err = fmt.Fprintln(a.Stdout, message)
			return err
		},
	}
}

func printOutbox(a *app.App, items []bundles.OutboxItem) error {
	if len(items) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "The outbox is empty.")
		return err
	}
	rows := [][]string{}
	for _, i := range items {
		rows = append(rows, []string{i.ID, i.Time.Format("2006-01-02 15:04"), i.Account, string(i.Status), strings.Join(i.To, ", "), i.Subject})
	}
	return a.PrintTable(rows)
}

func printItem(a *app.App, item bundles.OutboxItem) error {
	rows := [][]string{}
	for _, line := range [][]string{
		{"id", item.ID}, {"time", item.Time.Format(time.RFC3339)}, {"account", item.Account}, {"kind", item.Kind},
		{"status", statusText(item)}, {"to", strings.Join(item.To, ", ")}, {"subject", item.Subject},
		{"key", item.Key}, {"draft", item.Draft}, {"event", item.Event}, {"error", item.Error}, {"next", item.Next},
	} {
		if line[1] != "" {
			rows = append(rows, line)
		}
	}
	if err := a.PrintTable(rows); err != nil || item.Text == "" {
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, "\n%s\n", strings.TrimRight(item.Text, "\n"))
	return err
}

// statusText returns the status of an item in words.
func statusText(item bundles.OutboxItem) string {
	switch {
	case item.Status == "sent" && item.Event != "":
		return "sent, with event " + item.Event
	case item.Status == "sent":
		return "sent, as message " + item.Message
	case item.Status == "saved":
		return "saved, as draft " + item.Draft
	}
	return item.Status
}

// completeOutbox returns the ids of the items that have a next step, or of all
// items for `kota outbox show`.
func completeOutbox(a *app.App) completer {
	return func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || a.Load() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		items, err := a.Outbox().List(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []string
		for _, i := range items {
			if i.Next != "" || cmd.Name() == "show" {
				words = append(words, i.ID+"\t"+i.Status+": "+i.Subject)
			}
		}
		return withPrefix(words, start), cobra.ShellCompDirectiveNoFileComp
	}
}
