package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/entrypoint/approval"
	"kota/entrypoint/mcpserver"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/approvals"
)

// Approver returns the approver that asks the user about calls that send or
// destroy.
func (a *App) Approver() *approval.Approvals {
	return &approval.Approvals{
		Owner: Owner, Pending: approvalRows{a}, Sealer: a.Accounts().Sealer("approval"), Terminal: a.confirm(), Client: mcpserver.Elicitation{}, Now: a.databaseNow,
	}
}

// databaseNow returns the time of the clock that all processes share if the database is that of a
// server and open. One of them issues the question, and another one may get the answer.
func (a *App) databaseNow() time.Time {
	a.database.mu.Lock()
	db := a.database.opened
	a.database.mu.Unlock()
	if db == nil {
		return a.Now()
	}
	return db.Now()
}

// Approvals returns the store of all approvals, pending or not.
func (a *App) Approvals(ctx context.Context) (*approvals.Store, error) {
	db, err := a.OpenDB(ctx)
	if err != nil {
		return nil, err
	}
	return approvals.New(db, Owner), nil
}

// approvalRows gives the approver access to the approvals in the database.
type approvalRows struct{ app *App }

func (r approvalRows) Enqueue(ctx context.Context, pending approval.PendingCall) (string, error) {
	rows, err := r.app.Approvals(ctx)
	if err != nil {
		return "", err
	}
	shown, err := json.Marshal(pending.Text)
	if err != nil {
		return "", fmt.Errorf("save the pending call: %w", err)
	}
	stored, err := rows.Enqueue(ctx, store.Approval{
		Call: pending.Call, Digest: pending.Digest, Tool: pending.Tool, Effect: string(pending.Effect), Args: pending.Args, Shown: shown, Reason: pending.Reason, Session: pending.Session,
	})
	if errors.Is(err, store.ErrTooMany) {
		return "", metadata.Errorf(metadata.RateLimited, "%s: nothing was done", store.ErrTooMany.Error()).
			WithHint("The user can resolve them with `kota approve` and `kota reject`.")
	}
	return stored.ID, err
}

func (r approvalRows) ConsumeNonce(ctx context.Context, nonce string, expires time.Time) (bool, error) {
	rows, err := r.app.Approvals(ctx)
	if err != nil {
		return false, err
	}
	err = rows.ConsumeNonce(ctx, nonce, expires)
	switch {
	case errors.Is(err, store.ErrConflict):
		return false, nil
	case errors.Is(err, store.ErrTooLate):
		return false, approval.ErrTooLate
	}
	return err == nil, err
}

func (r approvalRows) TakeOutcome(ctx context.Context, call string) (*approval.Outcome, error) {
	rows, err := r.app.Approvals(ctx)
	if err != nil {
		return nil, err
	}
	found, err := rows.TakeOutcome(ctx, call)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	edited := approval.RequestText{}
	if found.Status == store.ApprovalDone && found.Shown != nil {
		if err := json.Unmarshal(found.Shown, &edited); err != nil {
			return nil, fmt.Errorf("read what %s did: %w", found.ID, err)
		}
	}
	return &approval.Outcome{
		Edited: edited.Text, ID: found.ID, At: found.Updated.In(r.app.Zone()), Answer: found.Outcome,
		Err: r.app.failedOutcome(found), Rejected: found.Status == store.ApprovalRejected,
	}, nil
}

// failedOutcome returns the error for a repeat of a call that is still running,
// was rejected, failed, or has no known outcome. It returns nil if the call was
// done.
func (a *App) failedOutcome(found store.Approval) *metadata.Error {
	switch found.Status {
	case store.ApprovalRunning:
		e := metadata.Errorf(metadata.Conflict, "the user has approved this call, which was pending as %s, and it is running now", found.ID).
			WithHint("Repeat the call in a few seconds: it then returns the outcome.")
		e.Retryable = true
		return e
	case store.ApprovalLost:
		return UnknownOutcome(found, a.Zone())
	case store.ApprovalRejected:
		return metadata.Errorf(metadata.Refused, "the user rejected this call, which was pending as %s: nothing was done", found.ID).
			WithHint("Do not repeat it; ask the user what they would like instead.")
	case store.ApprovalFailed:
		e := &metadata.Error{}
		if err := json.Unmarshal(found.Outcome, e); err != nil {
			return metadata.Errorf(metadata.OutcomeUnknown, "the user approved this call, which was pending as %s, but its outcome cannot be read", found.ID)
		}
		e.Message = fmt.Sprintf("the user approved this call, which was pending as %s, but it failed: %s", found.ID, e.Message)
		return e
	}
	return nil
}

// UnknownOutcome returns the error of an approved call whose outcome is lost.
func UnknownOutcome(found store.Approval, zone *time.Location) *metadata.Error {
	return metadata.Errorf(metadata.OutcomeUnknown, "the user approved this call, which was pending as %s, at %s, and KOTA stopped before the outcome was known", found.ID, found.Updated.In(zone).Format("2006-01-02 15:04 MST")).
		WithHint("Before you repeat it, the user should check: `kota outbox` shows what was sent, `kota audit list --tool %s` what was started. The same call then asks them again.", found.Tool)
}

// Pending returns the pending approvals. It returns none if the database is
// absent, and does not create it.
func (a *App) Pending(ctx context.Context) ([]store.Approval, error) {
	if !a.HasDatabase() {
		return nil, nil
	}
	rows, err := a.Approvals(ctx)
	if err != nil {
		return nil, err
	}
	return rows.Pending(ctx)
}
