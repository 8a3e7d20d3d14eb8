package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kota/metadata"
	"kota/store"
)

// dayLinked is the title of the memory, the event or the message that a link of
// an entry leads to. It returns NOT_FOUND where there is none.
func (a *app) dayLinked(ctx context.Context, kind, id string) (string, error) {
	switch kind {
	case "memory":
		return a.linkedMemory(ctx, id)
	case "event":
		return a.linkedEvent(ctx, id)
	}
	return a.linkedMail(ctx, id)
}

// linkedMemory is what is remembered under a key. The store is asked: the action
// would look for something like the key.
func (a *app) linkedMemory(ctx context.Context, key string) (string, error) {
	if err := a.offers("memory", "memory_get"); err != nil {
		return "", err
	}
	db, err := a.openDB(ctx)
	if err != nil {
		return "", err
	}
	found, err := db.Memories(memoryOwner).Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return "", metadata.Errorf(metadata.NotFound, "no such key is remembered")
	}
	if err != nil {
		return "", err
	}
	return asRead(found.Value), nil
}

// linkedMail is the subject of a message and whom it is from, in any account.
func (a *app) linkedMail(ctx context.Context, id string) (string, error) {
	var answer struct {
		Messages []inboxRow
		Missing  []partFailed `json:"errors"`
		Accounts []partFailed `json:"account_errors"`
	}
	err := a.consult(ctx, "gmail", "gmail_get_message", anObject{"ids": []string{id}, "format": "headers", "max_chars": 1000, "account": "*"}, &answer)
	if err != nil {
		return "", err
	}
	for _, m := range answer.Messages {
		return m.Subject + ", from " + named(m.From), nil
	}
	return "", nowhere("no such message is in the mailbox", append(answer.Missing, answer.Accounts...))
}

// A linkedRow is what calendar_get_event shows of an event.
type linkedRow struct{ Title, When, Status string }

// linkedEvent is the title of an event and when it is. Links do not say which
// calendar they lead to: the primary one is looked at first, then all others.
func (a *app) linkedEvent(ctx context.Context, id string) (string, error) {
	event, err := a.eventIn(ctx, anObject{"event_id": id})
	if metadata.CodeOf(err) != metadata.NotFound {
		return event, err
	}
	var all struct {
		Calendars []struct{ Calendar, Account string }
		Accounts  []partFailed `json:"account_errors"`
	}
	if err := a.consult(ctx, "calendar", "calendar_list_calendars", anObject{"account": "*"}, &all); err != nil {
		return "", err
	}
	for _, c := range all.Calendars {
		event, err := a.eventIn(ctx, anObject{"event_id": id, "calendar": c.Calendar, "account": c.Account})
		if metadata.CodeOf(err) != metadata.NotFound {
			return event, err
		}
	}
	return "", nowhere("no such event is in a calendar", all.Accounts)
}

func (a *app) eventIn(ctx context.Context, args anObject) (string, error) {
	var event linkedRow
	if err := a.consult(ctx, "calendar", "calendar_get_event", args, &event); err != nil {
		return "", err
	}
	if event.Status == "cancelled" {
		return "", metadata.Errorf(metadata.NotFound, "%s was cancelled", event.Title)
	}
	return strings.TrimSuffix(event.Title+", "+event.When, ", "), nil
}

// nowhere is the error for what was not found, unless some place could not be
// looked at, where it may be.
func nowhere(message string, parts []partFailed) error {
	for _, part := range parts {
		if part.Code != metadata.NotFound {
			return &metadata.Error{Code: part.Code, Message: part.Message, Cause: fmt.Errorf("follow a link: %s", part)}
		}
	}
	return metadata.Errorf(metadata.NotFound, "%s", message)
}
