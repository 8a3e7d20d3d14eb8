// Package pending lists, shows, approves and rejects pending approvals. An
// approved call runs at most once, and only if it would still do what the user
// was shown. Begin with List, Approve and runApproved.
package pending

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/store"
)

// Reject cancels a pending call.
func Reject(ctx context.Context, a *app.App, id string) error {
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	if err := rows.Reject(ctx, id); err != nil {
		return ExplainError(a, err, id)
	}
	_, err = fmt.Fprintf(a.Stdout, "%s is rejected: nothing was done.\n", id)
	return err
}

// Approve runs the pending calls with these ids. It runs none of them if one is
// not pending. It asks the user first, unless agreed is true.
func Approve(ctx context.Context, a *app.App, ids []string, agreed bool) error {
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	var calls []store.Approval
	for i, id := range ids {
		call, err := rows.Get(ctx, id)
		switch {
		case err != nil:
			return ExplainError(a, err, id)
		case call.Status != store.ApprovalPending:
			return NotPendingError(a, call)
		case !slices.Contains(ids[:i], id):
			calls = append(calls, call)
		}
	}
	if !agreed && a.CanAsk() && len(calls) == 1 {
		return askAndRun(ctx, a, rows, calls[0], bufio.NewReader(a.Input(ctx)))
	}
	for _, call := range calls {
		if err := showPending(a, call); err != nil {
			return err
		}
	}
	if len(calls) > 1 {
		if err := WriteTable(a, a.Stderr, calls); err != nil {
			return err
		}
	}
	how := " --yes"
	switch {
	case agreed:
	case !a.CanAsk():
		return mistake.Errorf("KOTA needs a terminal to ask you, so nothing was done. `kota approve %s --yes` does it without asking.", strings.Join(ids, " "))
	case !a.Confirm(ctx, fmt.Sprintf("\nApprove all %d of them?", len(calls))):
		return fmt.Errorf("nothing was done; the calls stay pending")
	default:
		how = ""
	}
	return approveAll(ctx, a, calls, func(call store.Approval) error {
		return runApproved(ctx, a, rows, call, "approve "+call.ID+how)
	})
}

// approveAll calls do for each call, until ctx ends. It continues after a
// failure. If there is only one call, it returns the error of do. Otherwise it
// prints each error, and returns an error that counts the failures.
func approveAll(ctx context.Context, a *app.App, calls []store.Approval, do func(store.Approval) error) error {
	if len(calls) == 1 {
		return do(calls[0])
	}
	failed := 0
	for _, call := range calls {
		err := do(call)
		if ctx.Err() != nil { // the user has left
			return err
		}
		if err != nil {
			a.PrintAdvised(a.Stderr, "kota: %v\n", app.TextError(err))
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d calls failed", failed, len(calls))
	}
	return nil
}

// ApproveEach lists the pending calls and asks about each. Without a terminal,
// it only lists them.
func ApproveEach(ctx context.Context, a *app.App) error {
	if !a.CanAsk() {
		return List(ctx, a, false)
	}
	rows, err := a.Approvals(ctx)
	if err != nil {
		return err
	}
	calls, err := rows.Pending(ctx)
	if err != nil {
		return err
	}
	if len(calls) == 0 {
		return printList(a, calls)
	}
	if len(calls) > 1 {
		if err := WriteTable(a, a.Stderr, calls); err != nil {
			return err
		}
		fmt.Fprintln(a.Stderr)
	}
	answers := bufio.NewReader(a.Input(ctx))
	return approveAll(ctx, a, calls, func(call store.Approval) error { return askAndRun(ctx, a, rows, call, answers) })
}
