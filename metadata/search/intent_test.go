package search

import (
	"testing"

	"kota/metadata"
)

func TestAsksNeedsVerbOfDeletionOrSending(t *testing.T) {
	deleteDraft := metadata.Action{Name: "delete_draft", Tool: "gmail_delete_draft", Effect: metadata.Writes, Tags: []string{"draft", "discard"}}
	deleteEvent := metadata.Action{Name: "delete_event", Tool: "calendar_delete_event", Effect: metadata.Sends, Tags: []string{"cancel"}}
	forget := metadata.Action{Name: "delete", Tool: "memory_delete", Effect: metadata.Destroys, Tags: []string{"forget"}}
	respond := metadata.Action{Name: "respond_event", Tool: "calendar_respond_event", Effect: metadata.Sends, Tags: []string{"rsvp", "accept", "decline"}}
	send := metadata.Action{Name: "send_message", Tool: "gmail_send_message", Effect: metadata.Sends, Tags: []string{"write", "email"}}
	get := metadata.Action{Name: "get_message", Tool: "gmail_get_message", Effect: metadata.Reads}
	for _, c := range []struct {
		action metadata.Action
		query  string
		want   bool
	}{
		{get, "anything at all", true},
		{deleteDraft, "delete an email", false},
		{deleteDraft, "discard the draft", true},
		{deleteDraft, "verwirf den Entwurf", true},
		{deleteDraft, "old drafts", false},
		{deleteEvent, "cancel my appointment", true},
		{deleteEvent, "add a person to all future standups", false},
		{deleteEvent, "delete an email", false},
		{deleteEvent, "select:calendar_delete_event", true},
		{deleteEvent, "calendar.delete_event", true},
		{forget, "forget my shoe size", true},
		{forget, "what is my shoe size", false},
		{respond, "invite someone to an existing event", false},
		{respond, "decline the meeting", true},
		{respond, "answer the invitation", true},
		{send, "send Bob a mail", true},
		{send, "write to Bob", true},
		{send, "mail from Bob", true}, // people write mail: only the example without a recipient is offered
		{send, "what did Bob say", false},
	} {
		if got := Asks(c.query, c.action); got != c.want {
			t.Errorf("%q asks for %s: %v, want %v", c.query, c.action.Tool, got, c.want)
		}
	}
}

func TestMayAskToReadAcceptsTypos(t *testing.T) {
	for name, want := range map[string]bool{"raed_message": true, "read_message": true, "serch_mail": true, "send_message": false, "snd_message": false, "delete_event": false, "delte_event": false, "message": false} {
		if got := MayAskToRead(name); got != want {
			t.Errorf("%s may ask to read: %v, want %v", name, got, want)
		}
	}
}

func TestAliasesCombineVerbsAndNouns(t *testing.T) {
	a := metadata.Action{Name: "modify_messages", Tool: "gmail_modify_messages", Aliases: metadata.Aliases{"archive move_away: - mail (archive: true)", "label: mail"}}
	for name, with := range map[string]string{"archive": "archive: true", "gmail_archive_mail": "archive: true", "moveAwayMail": "archive: true", "label_mail": ""} {
		if alias, ok := a.Aliased(name); !ok || alias.With != with {
			t.Errorf("%s: %+v, %v; want it with %q", name, alias, ok, with)
		}
	}
	for _, name := range []string{"label", "archive_event", "calendar_archive"} {
		if alias, ok := a.Aliased(name); ok {
			t.Errorf("%s is read as the alias %+v", name, alias)
		}
	}
}
