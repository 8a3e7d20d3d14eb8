package search

import (
	"testing"

	"kota/metadata"
)

// withheldQueries negate, avoid, postpone or ask about a change. No ready call may follow.
var withheldQueries = map[string][]string{
	"English": {
		"don't send the mail", "do not send Anna a mail", "never send mail", "please don't delete the event", "send no mail", "send nobody a mail",
		"send nothing to Bob", "send the mail not yet", "don't send it yet", "hold off sending the mail", "hold off on sending that mail", "please avoid sending a mail",
		"refrain from deleting the event", "wait with sending the mail", "avoid deleting anything", "why was the event deleted", "why did you delete the event",
		"did I send the mail to Anna", "have I sent the mail to Anna", "was the mail sent", "I already sent the mail", "is it possible to delete a mail", "can I delete a mail",
		"can the event be deleted", "should I send the mail", "who deleted the event", "when did I send the mail", "do not, ever, send mail", "send the mail later",
		"no need to delete the event", "nothing may be deleted", "under no circumstances send the mail", "I'd rather you did not send the mail", "delete nothing", "please stop sending mails to Bob",
		"do not log this", "don't remember this", "remember nothing of this", "send no one a mail", "the mail must not be sent", "you needn't send the mail", "mail has been sent", "send it? no, don't send the mail",
	},
	"Dutch": {
		"stuur de mail nog niet", "stuur hem vandaag nog niet", "stuur niemand een mail", "stuur nooit mail", "stuur geen mail", "stuur Anna niets", "niet versturen", "nog niet versturen",
		"verwijder de afspraak nog niet", "verwijder niets", "verwijder nooit een afspraak", "je moet de mail niet versturen", "geen mails sturen", "wacht met versturen van de mail", "wacht nog met de mail sturen",
		"vermijd het versturen van mail", "heb ik de mail verstuurd", "ik heb de mail al verstuurd", "is de mail verstuurd", "kan ik een mail verwijderen", "mag ik de afspraak verwijderen",
		"is het mogelijk een mail te verwijderen", "waarom is de afspraak verwijderd", "wie heeft de afspraak verwijderd", "log niets", "stuur die mail niet", "stuur dat nog niet door", "liever geen mail sturen", "stuur de mail later",
		"annuleer de afspraak niet", "antwoord Bob niet",
	},
	"German": {
		"lösche den Termin bloß nicht", "lösche nichts", "schick keine Mails", "schicke die Mail noch nicht", "sende die Mail nicht", "sende niemandem eine Mail", "bitte nicht senden", "noch nicht senden",
		"schick nie Mails", "lösch den Termin ja nicht", "auf keinen Fall die Mail senden", "vermeide es, Mails zu senden", "warte mit dem Senden der Mail", "verzichte darauf, die Mail zu senden", "habe ich die Mail gesendet",
		"ich habe die Mail schon gesendet", "wurde die Mail gesendet", "kann ich eine Mail löschen", "kann man den Termin löschen", "darf ich den Termin löschen", "ist es möglich, eine Mail zu löschen", "warum wurde der Termin gelöscht",
		"wer hat den Termin gelöscht", "soll ich die Mail senden", "sende Anna bitte nichts", "antworte Bob nicht", "die Mail nicht weiterleiten", "schicke die Mail später", "storniere den Termin nicht", "lösche keinen Termin",
	},
	"French": {
		"surtout pas envoyer le mail", "évite d'envoyer un mail", "n'envoie pas le mail", "n'envoie jamais de mail", "n'envoie rien", "ne supprime rien", "ne supprime pas le rendez-vous", "n'efface pas ce souvenir",
		"envoie pas le mail", "n'envoie pas encore le mail", "ne m'envoie rien", "il ne faut pas envoyer le mail", "n'annule pas la réunion", "n'envoie de mail à personne", "ai-je envoyé le mail", "est-ce que j'ai envoyé le mail",
		"j'ai déjà envoyé le mail", "le mail a été envoyé", "pourquoi le rendez-vous a été supprimé", "qui a supprimé le rendez-vous", "puis-je supprimer un mail", "est-il possible de supprimer un mail", "dois-je envoyer le mail",
		"attends avant d'envoyer le mail", "ne pas envoyer", "pas encore envoyer le mail", "évitez de supprimer le rendez-vous", "abstiens-toi d'envoyer un mail", "ne réponds pas à Bob", "n'accepte aucune invitation",
	},
	"Spanish": {
		"todavía no envíes el correo", "evita enviar el correo", "no envíes el correo", "no mandes correos", "nunca envíes correos", "no borres nada", "no canceles la reunión", "no elimines ese recuerdo",
		"aún no envíes el correo", "no le envíes nada a Bob", "no respondas a Bob", "espera antes de enviar el correo", "deja de enviar correos", "he enviado el correo", "ya he enviado el correo", "se ha enviado el correo",
		"¿he enviado el correo?", "quién borró la cita? no borrar nada", "por qué se ha borrado la cita", "puedo borrar un correo", "se puede borrar un correo", "es posible borrar un correo", "debo enviar el correo",
		"no quiero enviar el correo", "sin enviar nada", "jamás borres un recuerdo", "no lo borres", "no hay que enviar el correo", "no borres todavía la cita", "tampoco envíes el correo",
	},
	"Italian": {
		"non mandare mai posta", "non inviare la mail", "non mandare la mail", "non cancellare niente", "non eliminare i miei ricordi", "non inviare ancora la mail", "non rispondere a Bob", "non inviare niente",
		"evita di inviare la mail", "evita di cancellare l'appuntamento", "aspetta a inviare la mail", "aspetta prima di mandare la mail", "ho già inviato la mail", "ho inviato la mail", "la mail è stata inviata", "è stata inviata la mail",
		"perché è stato cancellato l'appuntamento", "chi ha cancellato l'appuntamento", "posso cancellare una mail", "si può cancellare una mail", "è possibile cancellare una mail", "devo inviare la mail", "smetti di mandare mail",
		"senza inviare niente", "mai cancellare un ricordo", "non annullare la riunione", "non lo cancellare", "per ora non mandare la mail", "non accettare l'invito", "non voglio inviare la mail", "astieniti dal mandare mail",
	},
}

func TestNoLanguageNegatesInVain(t *testing.T) {
	for language, queries := range withheldQueries {
		if len(queries) < 25 {
			t.Errorf("%s has %d sentences, want 25", language, len(queries))
		}
		for _, query := range queries {
			for _, a := range changingActions {
				if Asks(query, a, a.Effect) {
					t.Errorf("%s: %q asks for %s", language, query, a.Tool)
				}
			}
		}
	}
}

// changingActions delete, send, or change something without either.
var changingActions = []metadata.Action{
	{Name: "delete_event", Tool: "calendar_delete_event", Effect: metadata.Sends, Tags: []string{"cancel"}},
	{Name: "delete", Tool: "memory_delete", Effect: metadata.Destroys, Tags: []string{"forget"}},
	{Name: "send_message", Tool: "gmail_send_message", Effect: metadata.Sends, Tags: []string{"write", "email", "compose"}},
	{Name: "send_draft", Tool: "gmail_send_draft", Effect: metadata.Sends, Tags: []string{"send"}},
	{Name: "modify_messages", Tool: "gmail_modify_messages", Effect: metadata.Writes},
}

func TestAffirmedRequestsKeepTheirCall(t *testing.T) {
	deletes, sends, writes := changingActions[1], changingActions[2], changingActions[4]
	for _, c := range []struct {
		action  metadata.Action
		queries []string
	}{
		{sends, []string{
			"send a mail to Anna no later than Friday", "send no more than one mail to Anna", "send nothing but the invoice by mail", "send Bob a mail that I did not get the invoice", "send Bob a mail that I'm not coming",
			"don't forget to send Bob the mail", "why don't you send Bob a mail", "I can't come, send Bob a mail", "don't draft it but send a mail", "send a mail to everyone who has not paid",
			"could you send Bob a mail", "can you please send Anna a mail", "would you mail Anna", "send the mail without attachments", "send Bob a mail: are you coming?", "send the mail that was never sent",
			"send Anna a mail that I have deleted the event", "do not hesitate to send the mail", "hey, send Anna a mail", "tell Anna by mail that I deleted the event, send a mail",
			"vergeet niet Bob een mail te sturen", "stuur Bob een mail dat ik niet kom", "kun je Bob een mail sturen", "stuur een mail naar iedereen die niet betaald heeft", "stuur Anna een mail",
			"schick Anna eine Mail, dass ich nicht komme", "kannst du Anna eine Mail senden", "vergiss nicht, Anna eine Mail zu senden", "sende Anna eine Mail",
			"envoie un mail à Bob que je ne viens pas", "peux-tu envoyer un mail à Bob", "n'oublie pas d'envoyer le mail", "ce n'est pas grave, envoie un mail à Bob",
			"envía un correo a Ana que no voy", "puedes enviar un correo a Ana", "no olvides enviar el correo", "manda un correo a Ana",
			"manda una mail a Anna che non vengo", "puoi mandare una mail ad Anna", "non dimenticare di inviare la mail", "invia una mail ad Anna",
		}},
		{deletes, []string{
			"delete mail from no reply addresses", "delete the no-reply mail", "delete mails never opened", "remove mail no longer needed", "delete the mail I did not answer", "forget what is not true any more",
			"I don't need that any more, delete it", "vergiss, was nicht mehr stimmt", "verwijder mails die niet gelezen zijn", "could you delete the mail", "I want the mail deleted, delete it", "kun je de mail verwijderen",
			"kannst du die Mail löschen", "peux-tu supprimer le mail", "puedes borrar el correo", "puoi cancellare la mail", "delete the event without sending a mail", "supprime les mails que je n'ai pas lus",
		}},
		{changingActions[3], []string{"reply no to Bob and send it", "send it no later than noon"}},
		{writes, []string{"archive the mails", "I can't eat nuts, remember that", "remember that I don't eat pork", "recuerda que no como carne", "merk dir, dass ich kein Fleisch esse", "ricorda che non mangio carne", "onthoud dat ik geen vlees eet", "retiens que je ne mange pas de viande", "don't forget that I hate olives", "could you archive this", "bin that message",
			"not spam, back to the inbox", "hold on to my birthday", "never send mail without asking me first, that is a rule", "don't delete anything of mine, keep that in mind",
			"no sport today, lazy, record that", "coffee no 3", "habe sieben Stunden geschlafen", "bin zehn Kilometer gelaufen", "what a day: found my keys, log",
			"sorry to bother you, but could you write that the boiler was serviced?"}},
		{sends, []string{"when does school start? send Anna the date"}},
	} {
		for _, query := range c.queries {
			if !Asks(query, c.action, c.action.Effect) {
				t.Errorf("%q does not ask for %s", query, c.action.Tool)
			}
		}
	}
	respond := metadata.Action{Name: "reply_message", Tool: "gmail_reply_message", Effect: metadata.Sends, Tags: []string{"answer"}}
	for _, query := range []string{"reply no to Bob", "answer no to Anna", "responde que no a Ana", "réponds non à Bob", "rispondi di no a Bob"} {
		if !Asks(query, respond, respond.Effect) {
			t.Errorf("%q does not ask to reply", query)
		}
	}
}
