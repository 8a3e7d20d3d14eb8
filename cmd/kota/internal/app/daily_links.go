package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/bundles/daily/sources"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/memory"
)

// linkTarget returns the memory, event or message to which a link of an entry
// leads. It returns NOT_FOUND if the target does not exist.
func (a *App) linkTarget(ctx context.Context, kind, id string) (sources.Target, error) {
	switch kind {
	case "memory":
		return a.memoryTarget(ctx, id)
	case "event":
		return a.eventTarget(ctx, id)
	}
	return a.mailTarget(ctx, id)
}

// memoryTarget returns the memory with that key. It reads the store directly,
// because memory_get also accepts similar keys.
func (a *App) memoryTarget(ctx context.Context, key string) (sources.Target, error) {
	if err := a.checkAvailable("memory", "memory_get"); err != nil {
		return sources.Target{}, err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return sources.Target{}, err
	}
	found, err := memory.New(db, Owner).Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return sources.Target{}, metadata.Errorf(metadata.NotFound, "there is no memory with that key")
	}
	if err != nil {
		return sources.Target{}, err
	}
	return sources.Target{Title: plainText(found.Value), Source: found.Source}, nil
}

// mailTarget returns the subject and the sender of a message in any account.
func (a *App) mailTarget(ctx context.Context, id string) (sources.Target, error) {
	var answer struct {
		Messages []inboxRow
		Missing  []partialFailure `json:"errors"`
		Accounts []partialFailure `json:"account_errors"`
	}
	err := a.callBundle(ctx, "gmail", "gmail_get_message", callArgs{"ids": []string{id}, "format": "headers", "max_chars": 1000, "account": "*"}, &answer)
	if err != nil {
		return sources.Target{}, err
	}
	for _, m := range answer.Messages {
		return sources.Target{Title: m.Subject + ", from " + senderName(m.From), Untrusted: m.Provenance != nil}, nil
	}
	return sources.Target{}, notFoundError("the mailbox has no such message", append(answer.Missing, answer.Accounts...))
}

// eventRow has the fields that links need from the answer of
// calendar_get_event.
type eventRow struct {
	Title, When, Status string
	Provenance          *untrustedMark
}

// eventTarget returns the title and the time of an event. Links do not name a
// calendar, so eventTarget tries the primary calendar of the default account
// first, then every calendar of all accounts.
func (a *App) eventTarget(ctx context.Context, id string) (sources.Target, error) {
	event, err := a.findEvent(ctx, callArgs{"event_id": id})
	if metadata.CodeOf(err) != metadata.NotFound {
		return event, err
	}
	var all struct {
		Calendars []struct{ Calendar, Account string }
		Accounts  []partialFailure `json:"account_errors"`
	}
	if err := a.callBundle(ctx, "calendar", "calendar_list_calendars", callArgs{"account": "*"}, &all); err != nil {
		return sources.Target{}, err
	}
	for _, c := range all.Calendars {
		event, err := a.findEvent(ctx, callArgs{"event_id": id, "calendar": c.Calendar, "account": c.Account})
		if metadata.CodeOf(err) != metadata.NotFound {
			return event, err
		}
	}
	return sources.Target{}, notFoundError("no calendar has such an event", all.Accounts)
}

func (a *App) findEvent(ctx context.Context, args callArgs) (sources.Target, error) {
	var event eventRow
	if err := a.callBundle(ctx, "calendar", "calendar_get_event", args, &event); err != nil {
		return sources.Target{}, err
	}
	if event.Status == "cancelled" {
		return sources.Target{}, metadata.Errorf(metadata.NotFound, "%s was cancelled", event.Title)
	}
	return sources.Target{Title: strings.TrimSuffix(event.Title+", "+event.When, ", "), Untrusted: event.Provenance != nil}, nil
}

// notFoundError returns NOT_FOUND with the message. If an account or calendar
// could not be read, it returns that failure, because the target may be there.
func notFoundError(message string, failures []partialFailure) error {
	for _, failure := range failures {
		if failure.Code != metadata.NotFound {
			return &metadata.Error{Code: failure.Code, Message: failure.Message, Cause: fmt.Errorf("follow a link: %s", failure)}
		}
	}
	return metadata.Errorf(metadata.NotFound, "%s", message)
}
