package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/bundles/daily/sources"
	"kota/metadata"
	"kota/store"
	"kota/store/sqlite/memory"
)

// dayLinked returns the memory, event or message to which a link of an entry
// leads. It returns NOT_FOUND if it does not exist.
func (a *App) dayLinked(ctx context.Context, kind, id string) (sources.Target, error) {
	switch kind {
	case "memory":
		return a.linkedMemory(ctx, id)
	case "event":
		return a.linkedEvent(ctx, id)
	}
	return a.linkedMail(ctx, id)
}

// linkedMemory returns the memory with that key. It asks the store, because the
// action would also accept similar keys.
func (a *App) linkedMemory(ctx context.Context, key string) (sources.Target, error) {
	if err := a.offers("memory", "memory_get"); err != nil {
		return sources.Target{}, err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return sources.Target{}, err
	}
	found, err := memory.New(db, Owner).Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return sources.Target{}, metadata.Errorf(metadata.NotFound, "no such key is remembered")
	}
	if err != nil {
		return sources.Target{}, err
	}
	return sources.Target{Title: asRead(found.Value), Source: found.Source}, nil
}

// linkedMail returns the subject and the sender of a message in any account.
func (a *App) linkedMail(ctx context.Context, id string) (sources.Target, error) {
	var answer struct {
		Messages []inboxRow
		Missing  []partFailed `json:"errors"`
		Accounts []partFailed `json:"account_errors"`
	}
	err := a.consult(ctx, "gmail", "gmail_get_message", anObject{"ids": []string{id}, "format": "headers", "max_chars": 1000, "account": "*"}, &answer)
	if err != nil {
		return sources.Target{}, err
	}
	for _, m := range answer.Messages {
		return sources.Target{Title: m.Subject + ", from " + named(m.From), Foreign: m.Provenance != nil}, nil
	}
	return sources.Target{}, nowhere("no such message is in the mailbox", append(answer.Missing, answer.Accounts...))
}

// linkedRow is what calendar_get_event shows about an event.
type linkedRow struct {
	Title, When, Status string
	Provenance          *theirs
}

// linkedEvent returns the title and the time of an event. Links do not name a
// calendar, so it tries the primary one first, then all others.
func (a *App) linkedEvent(ctx context.Context, id string) (sources.Target, error) {
	event, err := a.eventIn(ctx, anObject{"event_id": id})
	if metadata.CodeOf(err) != metadata.NotFound {
		return event, err
	}
	var all struct {
		Calendars []struct{ Calendar, Account string }
		Accounts  []partFailed `json:"account_errors"`
	}
	if err := a.consult(ctx, "calendar", "calendar_list_calendars", anObject{"account": "*"}, &all); err != nil {
		return sources.Target{}, err
	}
	for _, c := range all.Calendars {
		event, err := a.eventIn(ctx, anObject{"event_id": id, "calendar": c.Calendar, "account": c.Account})
		if metadata.CodeOf(err) != metadata.NotFound {
			return event, err
		}
	}
	return sources.Target{}, nowhere("no such event is in a calendar", all.Accounts)
}

func (a *App) eventIn(ctx context.Context, args anObject) (sources.Target, error) {
	var event linkedRow
	if err := a.consult(ctx, "calendar", "calendar_get_event", args, &event); err != nil {
		return sources.Target{}, err
	}
	if event.Status == "cancelled" {
		return sources.Target{}, metadata.Errorf(metadata.NotFound, "%s was cancelled", event.Title)
	}
	return sources.Target{Title: strings.TrimSuffix(event.Title+", "+event.When, ", "), Foreign: event.Provenance != nil}, nil
}

// nowhere returns the error for something not found: NOT_FOUND, or the error of
// a place that could not be read, because it may be there.
func nowhere(message string, parts []partFailed) error {
	for _, part := range parts {
		if part.Code != metadata.NotFound {
			return &metadata.Error{Code: part.Code, Message: part.Message, Cause: fmt.Errorf("follow a link: %s", part)}
		}
	}
	return metadata.Errorf(metadata.NotFound, "%s", message)
}
