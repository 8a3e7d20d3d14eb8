package pending

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite"
)

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
		return Reject(ctx, a, waits.ID)
	}
	_, err := fmt.Fprintf(a.Stderr, "Nothing was done; it waits on as %s.\n\n", waits.ID)
	return err
}

func showWaiting(a *app.App, waits store.Approval) error {
	shown, err := ShownOf(waits)
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
