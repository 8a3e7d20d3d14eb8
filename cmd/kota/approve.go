package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
)

func newApprove(a *app.App) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "approve [ID...]",
		Short: "Show calls that wait for you, and carry them out",
		Long: `Show all of a call that waits for you, and carry it out. You are asked first, on a
terminal; --yes takes the id for your answer. Where there is no terminal nothing is
done without it: what a pipe says is nobody's word.

What would be done by now is compared with what is shown: when it differs nothing
is done, and it waits under another id. What a limit or Google does not let through
waits on. With several ids all are shown, then listed, and one answer is for all of
them. Without an id those that wait are listed, and each is shown and asked about;
where there is no terminal they are only listed.`,
		Example:           "  kota approve\n  kota approve a_k3v9q2m7xw\n  kota approve a_k3v9q2m7xw a_7hd2ms4c0e --yes",
		ValidArgsFunction: completePending(a),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && yes {
				return mistake.Errorf("kota approve --yes needs an id: nobody agrees to what they have not named.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if len(args) == 0 {
				return approveEach(cmd.Context(), a)
			}
			return approveNamed(cmd.Context(), a, args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func newReject(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "reject ID",
		Short:             "Give up a call that waits for you",
		Long:              "Give up a call that waits for you. Your assistant is told so when it repeats the call.",
		Example:           "  kota reject a_k3v9q2m7xw",
		Args:              exactly(1, "the id of one call that waits"),
		ValidArgsFunction: completePending(a),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.Load(); err != nil {
				return err
			}
			if err := a.Policy().Permit("kota reject", metadata.Writes); err != nil {
				return err
			}
			rows, err := a.Approvals(cmd.Context())
			if err != nil {
				return err
			}
			return reject(cmd.Context(), a, rows, args[0])
		},
	}
}

func reject(ctx context.Context, a *app.App, rows *sqlite.Approvals, id string) error {
	if err := rows.Reject(ctx, id); err != nil {
		return a.Unavailable(err, id)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s is rejected: nothing was done.\n", id)
	return err
}

// approveNamed carries out the calls that wait under these ids. It does nothing
// where one of them does not wait.
func approveNamed(ctx context.Context, a *app.App, ids []string, agreed bool) error {
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	var named []store.Approval
	for i, id := range ids {
		waits, err := rows.Get(ctx, id)
		switch {
		case err != nil:
			return a.Unavailable(err, id)
		case waits.Status != store.ApprovalWaiting:
			return a.NotWaiting(waits)
		case !slices.Contains(ids[:i], id):
			named = append(named, waits)
		}
	}
	if !agreed && a.CanAsk() && len(named) == 1 {
		return askAbout(ctx, a, rows, named[0], bufio.NewReader(a.Input(ctx)))
	}
	for _, waits := range named {
		if err := showWaiting(a, waits); err != nil {
			return err
		}
	}
	if len(named) > 1 {
		if err := tablePending(a, a.Stderr, named); err != nil {
			return err
		}
	}
	how := " --yes"
	switch {
	case agreed:
	case !a.CanAsk():
		return mistake.Errorf("There is no terminal to ask you on: nothing was done. `kota approve %s --yes` does it.", strings.Join(ids, " "))
	case !a.Confirm(ctx, fmt.Sprintf("\nDo all %d of them?", len(named))):
		return fmt.Errorf("nothing was done; they wait on")
	default:
		how = ""
	}
	return approveAll(ctx, a, named, func(waits store.Approval) error {
		return carryOut(ctx, a, rows, waits, "approve "+waits.ID+how)
	})
}

// approveAll calls do for each. It returns an error that counts those that failed.
func approveAll(ctx context.Context, a *app.App, named []store.Approval, do func(store.Approval) error) error {
	if len(named) == 1 {
		return do(named[0])
	}
	failed := 0
	for _, waits := range named {
		err := do(waits)
		if ctx.Err() != nil { // who leaves is asked no more
			return err
		}
		if err != nil {
			a.Say(a.Stderr, "kota: %v\n", err)
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d were not done", failed, len(named))
	}
	return nil
}

// approveEach lists all that wait, and asks about them one by one.
func approveEach(ctx context.Context, a *app.App) error {
	if !a.CanAsk() {
		return listPending(ctx, a, false)
	}
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	waiting, err := rows.Waiting(ctx)
	if err != nil {
		return err
	}
	if len(waiting) == 0 {
		return printPending(a, waiting)
	}
	if len(waiting) > 1 {
		if err := tablePending(a, a.Stderr, waiting); err != nil {
			return err
		}
		fmt.Fprintln(a.Stderr)
	}
	answers := bufio.NewReader(a.Input(ctx))
	return approveAll(ctx, a, waiting, func(waits store.Approval) error { return askAbout(ctx, a, rows, waits, answers) })
}

// askAbout shows a call and does as the user says.
func askAbout(ctx context.Context, a *app.App, rows *sqlite.Approvals, waits store.Approval, answers *bufio.Reader) error {
	if err := showWaiting(a, waits); err != nil {
		return err
	}
	fmt.Fprint(a.Stderr, "Do this? y does it, r rejects it, Enter lets it wait: ")
	answer, _ := answers.ReadString('\n') // the end of the input is no answer
	if ctx.Err() != nil {
		fmt.Fprintln(a.Stderr)
		return fmt.Errorf("nothing was done; it waits on as %s", waits.ID)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return carryOut(ctx, a, rows, waits, "approve "+waits.ID)
	case "r", "reject":
		return reject(ctx, a, rows, waits.ID)
	}
	_, err := fmt.Fprintf(a.Stderr, "Nothing was done; it waits on as %s.\n\n", waits.ID)
	return err
}

func showWaiting(a *app.App, waits store.Approval) error {
	shown, err := shownOf(waits)
	if err == nil {
		_, err = fmt.Fprintf(a.Stderr, "%s\n\n", shown.Text)
	}
	return err
}

// carryOut does a call that the user has agreed to, and keeps what came of it
// for whoever repeats it. One that came to nothing before the consent was made
// use of waits on, unless it can never be done; so does one that was not let
// through after that.
func carryOut(ctx context.Context, a *app.App, rows *sqlite.Approvals, waits store.Approval, how string) error {
	router, err := a.Router()
	if err != nil {
		return err
	}
	spent, used := false, false
	named := entrypoint.ApprovalByID{
		How: how, Digest: waits.Digest,
		Spend: func(ctx context.Context) error {
			used = true
			kind, limits := a.LimitsOf(metadata.Effect(waits.Effect))
			err := rows.Spend(ctx, waits.ID, kind, limits)
			spent = err == nil
			if full := (*store.LimitedError)(nil); errors.As(err, &full) {
				return waitsOn(a, a.Limited(kind, 1, full), waits)
			}
			return a.Unavailable(err, waits.ID)
		},
		Changed: func(asked entrypoint.Request, id string) {
			fmt.Fprintf(a.Stderr, "Since then it has changed. By now it would be, as %s:\n\n%s\n\n", id, approval.Show(asked).Text)
		},
	}
	kept := context.WithoutCancel(ctx) // what was done is kept, whoever has left
	out, text, err := router.Answer(ctx, &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: waits.Tool, Args: waits.Args, Approval: &named})
	switch {
	case err == nil:
		err = errors.Join(rows.Settle(kept, waits.ID, store.ApprovalDone, text), a.PrintJSON(out))
		if waits.Session != "" { // it came from a client, which nobody tells
			fmt.Fprintln(a.Stderr, "Tell your assistant that it is done: it makes the same call again, and is answered this.")
		}
	case !used && neverDone(err):
		err = waitsNoMore(kept, a, rows, waits, err)
	case spent && cameToNothing(err):
		released, releaseErr := rows.Release(kept, waits.ID)
		err = errors.Join(waitsOn(a, err, released), releaseErr)
	case spent:
		failure, plainErr := metadata.Plain(err)
		err = errors.Join(err, plainErr, rows.Settle(kept, waits.ID, store.ApprovalFailed, failure))
	}
	return err
}

// neverDone reports whether a call that failed so would fail for ever: a key stands
// for another mail, what it would change is not what it was. One that would do
// something else by now waits under another id already.
func neverDone(err error) bool {
	named := (*metadata.Error)(nil)
	return errors.As(err, &named) && named.Code == metadata.Conflict && !named.Retryable && named.Approval == ""
}

// waitsNoMore gives up what can never be done, which whoever repeats the call is
// told, and returns the failure with that.
func waitsNoMore(ctx context.Context, a *app.App, rows *sqlite.Approvals, waits store.Approval, err error) error {
	failure, plainErr := metadata.Plain(err)
	if gaveUp := rows.Fail(ctx, waits.ID, failure); gaveUp != nil || plainErr != nil {
		return errors.Join(err, gaveUp, plainErr)
	}
	return saying(err, waits.ID+" waits no more")
}

// cameToNothing reports whether a call that failed so has certainly done nothing.
func cameToNothing(err error) bool {
	switch metadata.CodeOf(err) {
	case metadata.RateLimited, metadata.SignInRequired, metadata.ScopeMissing, metadata.Refused, metadata.WritesDisabled:
		return true
	}
	return false
}

// waitsOn is the error of a call for which the user's consent is not used up.
func waitsOn(a *app.App, err error, waits store.Approval) error {
	return saying(err, fmt.Sprintf("it waits on as %s until %s", waits.ID, waits.Expires.In(a.Zone()).Format("2006-01-02 15:04 MST")))
}

// saying returns the error of a call with some words more.
func saying(err error, more string) error {
	named := (*metadata.Error)(nil)
	if !errors.As(err, &named) {
		return err
	}
	e := *named
	e.Message += "; " + more
	return &e
}
