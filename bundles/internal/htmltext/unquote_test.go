package htmltext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestUnquote(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"English":                     {"Yes.\n\nOn Mon, Jun 2, 2025 at 9:14 AM Ana Ruiz <ana@example.org> wrote:\n\n> Thursday?\n>\n> Ana\n", "Yes."},
		"broken over lines":           {"Yes.\n\nOn Mon, Jun 2, 2025 at 9:14 AM Ana Ruiz <ana@example.org>\nwrote:\n> Thursday?", "Yes."},
		"German":                      {"Ja.\n\nAm Mo., 2. Juni 2025 um 09:14 Uhr schrieb Ana <ana@example.org>:\n> Donnerstag?", "Ja."},
		"German, by name":             {"Ja.\n\nAna Ruiz schrieb am 02.06.25 um 09:14:\n> Donnerstag?", "Ja."},
		"French":                      {"Oui.\n\nLe lun. 2 juin 2025 à 09:14, Ana <ana@example.org> a écrit :\n\n> Jeudi ?", "Oui."},
		"Dutch":                       {"Ja.\n\nOp ma 2 jun 2025 om 09:14 schreef Ana <ana@example.org>:\n> Donderdag?", "Ja."},
		"Spanish":                     {"Sí.\n\nEl lun, 2 jun 2025 a las 9:14, Ana (<ana@example.org>) escribió:\n> ¿Jueves?", "Sí."},
		"Italian":                     {"Sì.\n\nIl giorno lun 2 giu 2025 alle ore 09:14 Ana ha scritto:\n> Giovedì?", "Sì."},
		"Portuguese":                  {"Sim.\n\nEm seg., 2 de jun. de 2025 às 09:14, Ana escreveu:\n> Quinta?", "Sim."},
		"Swedish":                     {"Ja.\n\nDen mån 2 juni 2025 kl 09:14 skrev Ana <ana@example.org>:\n> Torsdag?", "Ja."},
		"Markdown":                    {"Yes.\n\nOn Mon, Ana \\<[ana@example.org](mailto:ana@example.org)> wrote:\n\n> Thursday?\n>\n> > Older", "Yes."},
		"quotes with no attribution":  {"Yes.\n\n> Thursday?", "Yes."},
		"Outlook":                     {"Yes.\n\n________________________________\nFrom: Ana Ruiz\nSent: Monday, June 2, 2025 9:14 AM\nTo: Bob\nSubject: Thursday\n\nShall we?", "Yes."},
		"Outlook in German, Markdown": {"Ja.\n\n**Von:** Ana Ruiz\n**Gesendet:** Montag, 2. Juni 2025 09:14\n**An:** Bob\n**Betreff:** Donnerstag\n\nPasst es?", "Ja."},
		"Outlook in Dutch":            {"Ja.\n\nVan: Ana\nVerzonden: maandag 2 juni 2025\nAan: Bob\nOnderwerp: Donderdag\n\nKan het?", "Ja."},
		"Outlook in Spanish":          {"Sí.\n\nDe: Ana\nEnviado el: lunes, 2 de junio de 2025\nPara: Bob\nAsunto: Jueves\n\n¿Puedes?", "Sí."},
		"an old Outlook":              {"Yes.\n\n-----Original Message-----\nFrom: Ana\n\nShall we?", "Yes."},
		"an old Outlook in German":    {"Ja.\n\n-----Ursprüngliche Nachricht-----\nVon: Ana\n\nPasst es?", "Ja."},
		"answers between the quotes":  {"Ana wrote:\n> Which day?\n\nThursday.\n\n> Which place?\n\nThe usual.", "Ana wrote:\n> Which day?\n\nThursday.\n\n> Which place?\n\nThe usual."},
		"up to the last answer":       {"Ana wrote:\n> Which day?\n\nThursday.\n\n> Thanks, Ana\n", "Ana wrote:\n> Which day?\n\nThursday."},
		"answers in red, below":       {"See my answers below in red.\n\nFrom: Ana\nSent: Monday\nTo: Bob\nSubject: Thursday\n\nWhen? At noon.", "See my answers below in red.\n\nFrom: Ana\nSent: Monday\nTo: Bob\nSubject: Thursday\n\nWhen? At noon."},
		"nothing but a quote":         {"> Thursday?\n> Ana", "> Thursday?\n> Ana"},
		"nothing but history":         {"-----Original Message-----\nFrom: Ana\n\nShall we?", "-----Original Message-----\nFrom: Ana\n\nShall we?"},
		"forwarded":                   {"FYI\n\n---------- Forwarded message ---------\nFrom: Ana\nDate: Mon\nSubject: Thursday\nTo: Bob\n\nShall we?\n\n> older", "FYI\n\n---------- Forwarded message ---------\nFrom: Ana\nDate: Mon\nSubject: Thursday\nTo: Bob\n\nShall we?\n\n> older"},
		"forwarded by Apple":          {"FYI\n\nAnfang der weitergeleiteten Nachricht:\n\nVon: Ana\nBetreff: Do\nDatum: 2. Juni 2025\nAn: Bob\n\nPasst es?", "FYI\n\nAnfang der weitergeleiteten Nachricht:\n\nVon: Ana\nBetreff: Do\nDatum: 2. Juni 2025\nAn: Bob\n\nPasst es?"},
		"a letter about From":         {"From: the team\nWe moved. To: reach us, call.", "From: the team\nWe moved. To: reach us, call."},
		"someone wrote":               {"On Monday Ana wrote:\nI like it.", "On Monday Ana wrote:\nI like it."},
		"empty":                       {"", ""},
	} {
		got, quoted := Unquote(c.in)
		if got != c.want || quoted != utf8.RuneCountInString(c.in)-utf8.RuneCountInString(c.want) {
			t.Errorf("%s: got %q and %d quoted, want %q", name, got, quoted, c.want)
		}
	}
}

func TestUnquoteTakesBoundedTime(t *testing.T) {
	for _, piece := range []string{"> ", ">\n", "On ", "On a wrote:\n", "From: a\n", "-----", "a\n\n", "wrote: "} {
		text := strings.Repeat(piece, (1<<20)/len(piece))
		if own, quoted := Unquote(text); utf8.RuneCountInString(own)+quoted != len(text) {
			t.Errorf("%q: %d and %d are not %d", piece, len(own), quoted, len(text))
		}
	}
}

func FuzzUnquote(f *testing.F) {
	f.Add("Yes.\n\nOn Mon, Ana wrote:\n> a\n")
	f.Add("x\n\nVon: a\nGesendet: b\nAn: c\nBetreff: d\n\n> e")
	f.Fuzz(func(t *testing.T, text string) {
		own, quoted := Unquote(text)
		if !strings.HasPrefix(text, own) || quoted != utf8.RuneCountInString(text)-utf8.RuneCountInString(own) {
			t.Errorf("%q and %d are not of %q", own, quoted, text)
		}
		if strings.TrimSpace(text) != "" && strings.TrimSpace(own) == "" {
			t.Errorf("nothing is left of %q", text)
		}
	})
}
