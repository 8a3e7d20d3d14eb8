package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/metadata"
)

func TestReadyCallsSendOrDestroyNothingIfNegated(t *testing.T) {
	router := everyBundleRouter(t)
	for _, query := range []string{
		"never send mail", "don't delete anything", "never reply to Bob", "do not cancel any meeting", "don't forward my mail",
		"don't invite anyone", "nothing may be deleted", "never delete a memory", "don't trash my mails", "without sending anything",
		"non mandare mai posta", "non cancellare niente", "non eliminare i miei ricordi",
		"n'envoie jamais de mail", "ne supprime rien", "n'annule pas la réunion",
		"nunca envíes correos", "no borres nada", "no canceles la reunión",
		"schick nie Mails", "lösche nichts", "sag den Termin nicht ab", "lösch diese Erinnerung nicht",
		"stuur nooit mail", "verwijder niets", "zeg de afspraak niet af",
	} {
		found, call := readyCall(t, router, query)
		t.Logf("%q: %v %v", query, found, call)
		if call == nil {
			continue
		}
		action, ok := router.Action(call.Tool)
		if !ok {
			t.Fatalf("%q: there is no %s", query, call.Tool)
		}
		args := fmt.Sprint(call.Args)
		if strings.Contains(args, "trash") || action.Effect == metadata.Sends || action.Effect == metadata.Destroys || strings.HasPrefix(action.Name, "delete") {
			t.Errorf("%q is offered %v", query, call)
		}
	}
}

func TestMemoriesAreFoundInEveryLanguage(t *testing.T) {
	router := everyBundleRouter(t)
	for query, want := range map[string]string{
		"memorizza il mio indirizzo":             "memory_set",
		"ricordati che sono celiaco":             "memory_set",
		"vergeet niet dat ik op dinsdag sport":   "memory_set",
		"no olvides que me gusta el té":          "memory_set",
		"non dimenticare che abito a Milano":     "memory_set",
		"n'oublie pas le lait":                   "memory_set",
		"geef me de wachtwoorden":                "memory_get",
		"ricorda: Bianchi vuole il tu":           "memory_set",
		"souviens-toi que j'aime le thé":         "memory_set",
		"mémorise que je pars tôt le matin":      "memory_set",
		"recuerda que no me gusta el café":       "memory_set",
		"merken Sie sich meine Kontonummer":      "memory_set",
		"onthoud dat ik van thee hou":            "memory_set",
		"quiero borrar lo que recuerdas de mí":   "memory_delete",
		"elimina el recuerdo de mi jefe":         "memory_delete",
		"borra lo que sabes de mí":               "memory_delete",
		"efface ce que tu sais de moi":           "memory_delete",
		"cancella quello che ricordi di me":      "memory_delete",
		"lösche alles, was du über mich weißt":   "memory_delete",
		"wis wat je over mijn baas hebt bewaard": "memory_delete",
	} {
		if found, _ := readyCall(t, router, query); !slices.Contains(found[:min(2, len(found))], want) {
			t.Errorf("%q: found %v, want %s among the first two", query, found, want)
		}
	}
}

func TestReadyCallsDoNotSayTheOpposite(t *testing.T) {
	router := everyBundleRouter(t)
	for query, want := range map[string]string{ // a part of the arguments; "" for no call
		"did anyone reply to my offer":              "",
		"wie heeft er niet geantwoord op mijn mail": "",
		"wer hat nicht auf meine Mail geantwortet":  "",
		"did I send the mail to Anna":               "in:sent",
		"show mails I sent to Paul":                 "in:sent",
		"put this thread in the trash":              `"trash":true`,
		"take that mail out of the trash":           "",
		"put a star on that mail":                   "",
		"is it possible to delete a mail":           "",
		"is my auto-responder still on?":            `"operation":"get"`,
		"turn the automatic reply off":              "",
		"RSVP maybe":                                "",
	} {
		found, call := readyCall(t, router, query)
		got := ""
		if call != nil {
			raw, err := json.Marshal(call.Args)
			if err != nil {
				t.Fatal(err)
			}
			got = string(raw)
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: found %v, called with %s, want %s", query, found, got, want)
		}
	}
}
