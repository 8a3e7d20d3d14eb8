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
		if got := Asks(c.query, c.action, c.action.Effect); got != c.want {
			t.Errorf("%q asks for %s: %v, want %v", c.query, c.action.Tool, got, c.want)
		}
	}
}

func TestNegatedVerbsAskForNothing(t *testing.T) {
	forget := metadata.Action{Name: "delete", Tool: "memory_delete", Effect: metadata.Destroys, Tags: []string{"forget"}}
	send := metadata.Action{Name: "send_message", Tool: "gmail_send_message", Effect: metadata.Sends, Tags: []string{"write", "email", "compose"}}
	for _, query := range []string{
		"never send mail", "please do not ever send any mail", "don't mail Bob", "send nothing", "send no mail", "without sending a mail",
		"stuur nooit mail", "geen mails sturen", "schick keine Mails", "sende Anna bitte nichts", "n'envoie jamais de mail", "ne m'envoie rien",
		"no envíes correos", "nunca mandes correos", "non mandare mai posta", "don't send or forward mail",
	} {
		if Asks(query, send, send.Effect) || AsksToSend(query) {
			t.Errorf("%q asks to send", query)
		}
	}
	for _, query := range []string{
		"don't delete anything", "never delete a memory", "do not forget that I hate olives", "verwijder niets", "lösche bitte nichts", "lösch diese Erinnerung nicht",
		"ne supprime rien", "n'efface pas ce souvenir", "no borres nada", "no elimines ese recuerdo", "non cancellare niente", "vergiss nicht, dass ich Tee mag",
	} {
		if Asks(query, forget, forget.Effect) || AsksToDelete(query) {
			t.Errorf("%q asks to delete", query)
		}
	}
	for _, query := range []string{
		"don't forget to send Bob the mail", "why don't you send Bob a mail", "I can't come, send Bob a mail", "don't draft it but send it", "vergeet niet Bob een mail te sturen",
		"send Bob a mail that I did not get the invoice", "ce n'est pas grave, envoie un mail à Bob",
	} {
		if !Asks(query, send, send.Effect) {
			t.Errorf("%q does not ask to send", query)
		}
	}
	for _, query := range []string{"forget what is not true any more", "I don't need that any more, delete it", "delete the one I did not use", "vergiss, was nicht mehr stimmt"} {
		if !Asks(query, forget, forget.Effect) {
			t.Errorf("%q does not ask to delete", query)
		}
	}
}

// An answer, a description and an exception do not negate the verb before them.
func TestNoIsNotAlwaysANegation(t *testing.T) {
	for _, query := range []string{
		"reply no to Bob", "answer no to Anna", "rsvp no to the dinner", "rsvp no", "answer the invitation with no", "reply no thanks", "responde que no a Ana", "responde no",
		"contesta que no a la invitación", "rispondi di no ad Anna", "rispondi no a Marco", "antworte Anna mit nein", "antwoord nee aan Jan", "réponds non à Anna",
		"send nothing but the invoice", "send nothing except the invoice", "schick nichts als die Rechnung", "sende Anna nichts außer der Rechnung", "schick nichts anderes als die Rechnung",
		"stuur niets dan de factuur", "stuur niets anders dan de factuur", "n'envoie rien d'autre que la facture", "n'envoie que la facture", "envía nada más que la factura",
		"no envíes nada más que la factura", "no mandes más que la factura", "non inviare altro che la fattura",
		"send Bob the report he never opened", "forward the mails never answered",
	} {
		if !AsksToSend(query) {
			t.Errorf("%q does not ask to send", query)
		}
	}
	for _, query := range []string{
		"delete mail from no reply addresses", "delete the no-reply mail", "delete mails never opened", "delete never opened mails", "remove mail no longer needed", "delete mail that is no longer needed",
		"delete what I never use", "verwijder nooit geopende mails", "verwijder niet gelezen mails", "verwijder niet meer gebruikte labels", "verwijder wat ik niet nodig heb",
		"lösche nie geöffnete Mails", "lösche nicht gelesene Mails", "lösche nicht mehr benötigte Mails", "lösche was ich nicht brauche", "supprime les mails jamais ouverts",
		"supprime les mails non lus", "supprime ce qui n'est plus utile", "borra los correos nunca abiertos", "borra los correos no leídos", "borra lo que no uso",
		"elimina correos ya no usados", "cancella le mail mai aperte", "cancella le mail mai lette", "cancella le mail non lette", "elimina le note mai usate",
	} {
		if !AsksToDelete(query) {
			t.Errorf("%q does not ask to delete", query)
		}
	}
	for _, query := range []string{
		"answer no mails", "reply to no one", "answer nothing", "antworte nicht", "antwoord niet", "send no unsolicited mail", "send no longer newsletters", "send never any mail",
		"no respondas a nadie", "non rispondere a nessuno", "ne réponds rien", "ne réponds pas que je viens", "send no more mail", "schick Anna nie Mails",
	} {
		if AsksToSend(query) {
			t.Errorf("%q asks to send", query)
		}
	}
	for _, query := range []string{
		"verwijder dat niet", "lösche die Mail nicht", "lösche nicht alte Mails", "lösche das nie", "borra nunca mis correos", "ne supprime jamais ouvertement", "non cancellare mai le mie mail", "delete that never",
	} {
		if AsksToDelete(query) {
			t.Errorf("%q asks to delete", query)
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
