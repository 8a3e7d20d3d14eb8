package doctor

import (
	"context"
	"fmt"
	"strings"

	"kota/cmd/kota/internal/app"
)

// examineOutbox counts the mails and invitations that need the user's decision.
func examineOutbox(a *app.App, ctx context.Context) Finding {
	f := Finding{Check: "outbox", OK: true, Saw: "no mail or invitation needs your decision"}
	items, err := a.Outbox().List(ctx)
	if err != nil {
		return Finding{Check: "outbox", Saw: err.Error(), Remedy: "See the checks above."}
	}
	count := map[string]int{}
	for _, i := range items {
		count[i.Status]++
	}
	var open []string
	if n := count["unknown"]; n > 0 {
		f.OK, open = false, append(open, fmt.Sprintf("%d may or may not have been sent", n))
	}
	if n := count["failed"]; n > 0 {
		open = append(open, fmt.Sprintf("%d not sent", n))
	}
	if len(open) > 0 {
		f.Saw = strings.Join(open, ", ")
		f.Remedy = "Run `kota outbox list`, then `kota outbox retry ID` or `kota outbox drop ID`."
	}
	return f
}

// examinePending counts the calls that need the user's approval.
func examinePending(a *app.App, ctx context.Context) Finding {
	calls, err := a.Pending(ctx)
	switch {
	case err != nil:
		return Finding{Check: "approvals", Saw: err.Error(), Remedy: "See the checks above."}
	case len(calls) == 0:
		return Finding{Check: "approvals", OK: true, Saw: "no call is pending"}
	}
	return Finding{Check: "approvals", OK: true, Saw: fmt.Sprintf("%d pending", len(calls)), Remedy: "Run `kota approve`."}
}
