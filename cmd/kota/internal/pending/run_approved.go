package pending

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/approval"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/approvals"
)

// askAndRun shows a call and asks the user, who may approve it, reject it, or
// leave it pending. An approved call runs at once.
func askAndRun(ctx context.Context, a *app.App, rows *approvals.Store, call store.Approval, answers *bufio.Reader) error {
	if err := showPending(a, call); err != nil {
		return err
	}
	fmt.Fprint(a.Stderr, "Approve this call? y approves, r rejects, Enter leaves it pending: ")
	answer, _ := answers.ReadString('\n') // the end of the input means no answer
	if ctx.Err() != nil {
		fmt.Fprintln(a.Stderr)
		return fmt.Errorf("nothing was done; it stays pending as %s", call.ID)
	}
	agreed, known := term.ParseAnswer(answer)
	switch word := strings.ToLower(strings.TrimSpace(answer)); {
	case agreed:
		return runApproved(ctx, a, rows, call, "approve "+call.ID)
	case word == "r" || word == "reject":
		return Reject(ctx, a, call.ID)
	case !known:
		fmt.Fprintf(a.Stderr, "%s is not y, r or Enter. ", term.QuoteAnswer(answer))
	}
	_, err := fmt.Fprintf(a.Stderr, "Nothing was done; it stays pending as %s.\n\n", call.ID)
	return err
}

func showPending(a *app.App, call store.Approval) error {
	shown, err := Shown(call)
	if err == nil {
		_, err = fmt.Fprintf(a.Stderr, "%s\n\n", shown.Text)
	}
	return err
}

// runApproved runs a call that the user has approved at the command line, and prints the
// outcome.
func runApproved(ctx context.Context, a *app.App, rows *approvals.Store, call store.Approval, how string) error {
	router, err := a.Router()
	if err != nil {
		return err
	}
	outcome, err := Run(ctx, a, router, rows, call, entrypoint.ByCLI, how)
	if outcome.Changed != nil {
		fmt.Fprintf(a.Stderr, "Its effect has changed since it was shown. It is now pending as %s:\n\n%s\n\n", outcome.Changed.ID, outcome.Changed.Text.Text)
	}
	if outcome.Done {
		err = errors.Join(err, a.PrintJSON(outcome.Answer))
		if call.Session != "" { // it came from a client, which is not notified
			fmt.Fprintln(a.Stderr, "Tell your assistant that it is done: when it repeats the call, it gets this answer.")
		}
	}
	return err
}

// An Outcome says what happened to an approved call.
type Outcome struct {
	Done    bool // the call ran, and Answer is its answer
	Answer  any
	Changed *Changed // set if the call now waits under another id
}

// A Changed is a call whose effect has changed since the user saw it.
type Changed struct {
	ID   string
	Text approval.RequestText
}

// Run runs a call that the user has approved, and stores its outcome for the client
// that repeats it. The parameter how is what the audit log says about the approval. A call that
// certainly did nothing stays pending, unless cannotRun reports true for its error.
func Run(ctx context.Context, a *app.App, router *entrypoint.Router, rows *approvals.Store, call store.Approval, channel entrypoint.Channel, how string) (Outcome, error) {
	var outcome Outcome
	consumed, used := false, false
	approvalByID := entrypoint.ApprovalByID{
		Command: how, Digest: call.Digest,
		Consume: func(ctx context.Context) error {
			used = true
			kind, limits := app.LimitsOf(a.Config.Limits, metadata.Effect(call.Effect))
			err := rows.Consume(ctx, call.ID, kind, limits)
			consumed = err == nil
			if full := (*store.LimitError)(nil); errors.As(err, &full) {
				return withPendingNote(a, a.LimitError(kind, 1, full), call)
			}
			return ExplainError(a, err, call.ID)
		},
		OnChange: func(changed entrypoint.Request, id string) {
			outcome.Changed = &Changed{id, approval.TextOf(changed)}
		},
	}
	outcomeCtx := context.WithoutCancel(ctx) // the outcome is stored even if the caller has left
	out, text, err := router.Answer(ctx, &entrypoint.Call{Channel: channel, Tool: call.Tool, Args: call.Args, Approval: &approvalByID})
	switch {
	case err == nil:
		outcome.Done, outcome.Answer = true, out
		err = rows.SetOutcome(outcomeCtx, call.ID, store.ApprovalDone, text)
	case !used && cannotRun(err):
		err = failApproval(outcomeCtx, a, rows, call, err)
	case !used:
		err = withPendingNote(a, err, call)
	case consumed && didNothing(err):
		released, releaseErr := rows.Release(outcomeCtx, call.ID)
		err = errors.Join(withPendingNote(a, err, released), releaseErr)
	case consumed:
		failure, plainErr := metadata.Plain(err)
		err = errors.Join(err, plainErr, rows.SetOutcome(outcomeCtx, call.ID, store.ApprovalFailed, failure))
	}
	return outcome, err
}

// cannotRun reports whether a call that failed with err would always fail, for
// example because its target has changed. It returns false for a call that is
// already pending under another id, because its effect has changed.
func cannotRun(err error) bool {
	failure := (*metadata.Error)(nil)
	return errors.As(err, &failure) && failure.Code == metadata.Conflict && !failure.Retryable && failure.Approval == ""
}

// failApproval ends a call that cannot run. It stores the failure for the client that
// repeats the call, and returns err with a note.
func failApproval(ctx context.Context, a *app.App, rows *approvals.Store, call store.Approval, err error) error {
	failure, plainErr := metadata.Plain(err)
	if storeErr := rows.Fail(ctx, call.ID, failure); storeErr != nil || plainErr != nil {
		return errors.Join(err, storeErr, plainErr)
	}
	return addNote(err, call.ID+" is no longer pending")
}

// didNothing reports whether a call that failed with err has certainly done nothing.
func didNothing(err error) bool {
	switch metadata.CodeOf(err) {
	case metadata.RateLimited, metadata.SignInRequired, metadata.ScopeMissing, metadata.Refused, metadata.WritesDisabled:
		return true
	}
	return false
}

// withPendingNote returns err with a note that the call stays pending. It returns err unchanged if
// the call is now pending under another id.
func withPendingNote(a *app.App, err error, call store.Approval) error {
	failure := (*metadata.Error)(nil)
	if !errors.As(err, &failure) || failure.Approval != "" {
		return err
	}
	e := *failure
	e.Hint = strings.ReplaceAll(e.Hint, "repeat the call", "approve it again")
	return addNote(&e, fmt.Sprintf("it stays pending as %s until %s", call.ID, call.Expires.In(a.Zone()).Format("2006-01-02 15:04 MST")))
}

// addNote returns the error of a call with a note at the end of its message.
func addNote(err error, note string) error {
	failure := (*metadata.Error)(nil)
	if !errors.As(err, &failure) {
		return err
	}
	e := *failure
	e.Message += "; " + note
	return &e
}
