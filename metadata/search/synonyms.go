package search

import (
	"slices"
	"strings"
	"sync"

	"kota/metadata/words"
)

// synonymLines are classes of words from everyday and office life, in English, Dutch, German,
// French, Spanish and Italian. A query and a phrase may use different words of a class for the same
// thing. Each line is one class. No class names a tool or a product.
const synonymLines = `
mail email mails emails message messages letter correo correos courriel courriels mensaje mensajes nachricht nachrichten bericht berichten posta messaggio messaggi
mailbox inbox postvak postfach posteingang boîte bandeja buzon casella
draft drafts unsent unfinished concept concepten entwurf entwurfe brouillon brouillons borrador borradores bozza bozze
receipt receipts invoice invoices bill quote offer order booking reservation confirmation ticket tickets contract rechnung factuur facture factura fattura fatture ricevuta
attachment attachments attached enclosed pdf photo photos document documents file files scan anhang anhange bijlage bijlagen piece pieces jointe jointes adjunto adjuntos archivo fichero fichier datei allegato allegati
reply replied answer answered respond response nudge antworten antworte antwort beantworten beantwoorden antwoord repondre reponds reponse responder responde respuesta contesta contestar rispondi rispondere risposta
forward forwarded fwd relay doorsturen weiterleiten transferer transfere reenvia reenviar reenvialo inoltra inoltrare gira
send sent mail mailed deliver verstuur versturen stuur senden schick schicke sende envoie envoyer envia enviar manda mandar invia inviare mandare spedisci
write schreib schreibe schreiben schrijf schrijven ecris ecrire escribe escribir compose scrivi scrivere
sender from afzender absender expediteur remitente mittente
newsletter newsletters subscription promotions promotion marketing promo advert adverts ads advertising publicite publicites werbung reclame publicidad nieuwsbrief pubblicita boletin
unsubscribe afmelden abmelden abbestellen desabonner desinscribir mailinglist disiscrivimi
spam junk phishing scam ungewollt
archive archived archivieren archiveren archiver archivar archivia archiviare archiva
trash bin wastebasket corbeille papierkorb prullenbak papelera cestino cestina
star starred flag flagging flagged important estrella stern ster etoile stella
label labels folder folders etikett etiqueta etiquetas carpeta carpetas ordner map mappen dossier etiquette etichetta etichette cartella cartelle
rule rules filter filters automatically always future regel regels regla reglas regle regles regola regole filtro filtri
vacation holiday holidays away ooo autoreply autoresponder auto-responder responder abwesenheit abwesenheitsnotiz urlaub vakantie afwezigheid afwezig vacances absence vacaciones ausencia assenza ferie vacanza
account accounts login alias aliases konto konten cuenta cuentas compte comptes conti
calendar calendars agenda agendas schedule kalender kalenders calendrier calendriers calendario calendarios calendari
meeting meetings meet met appointment appointments event events termin termine afspraak afspraken cita citas reunion reuniones rendezvous evenement evento eventos besprechung treffen vergadering call party lunch dinner barbecue interview appuntamento appuntamenti riunione riunioni incontro pranzo cena eventi
invite invited invitation invitations guest guests attendee attendees participant einladung uitnodiging uitgenodigd invitacion invitado invitados eingeladen gast gasten gaste invita invito inviti invitati invitato
accept decline rsvp attend attending yes no maybe accepte accepter zusagen absagen toezeggen afzeggen acepta aceptar rechaza accetta accettare rifiuta rifiutare
free busy available availability gap opening slot slots frei besetzt vrij bezet libre libres hueco occupe disponible disponibles libero libera liberi occupato
book reserve block put hold plan reserver reservar boeken buchen prenota fissa blocca
reschedule postpone shift push later earlier verschieben verzetten verplaats verplaatsen reporter deplacer deplace mover mueve aplazar sposta spostare rimanda anticipa
cancel call off scrap drop absagen annuleren afzeggen annuler annule cancelar cancela anular annulla annullare
recurring repeating repeat weekly daily monthly series occurrence occurence wiederkehrend terugkerend recurrent
remember keep mind note memorise memorize store save recall retain bear record onthoud onthouden bewaar bewaren merk merken merke retiens retenir souviens recuerda recordar guarda guardar ricorda ricordati ricordare memorizza memorizzare memoriza conserva salva apunta apuntate acuerdate behalte notiere rappelle enregistre
forget forgotten erase wipe vergeet vergeten vergiss vergessen oublie oublier olvida olvidar dimentica dimenticare scordati
memory memories remembered stored saved known geheugen geheugens gedachtnis memoire memoria recuerdos fact facts ricordo ricordi souvenir souvenirs recuerdo erinnerung erinnerungen herinnering herinneringen
know knows known weet weten weißt weisst wissen sais savoir sabes saber sai sapere
delete remove erase wipe trash discard throw rid loschen losche verwijder verwijderen weggooien verwerfen verwirf supprime supprimer borra borrar elimina eliminar cancella cancellare eliminare rimuovi togli efface effacer wis gooi gooien butta buttare cestina cestinare wirf wegwerfen jeter
undo revert reverse reversed rollback restore restored undelete recover oops mistake accident accidentally accidental wrong shouldnt ongedaan ruckgangig annuler deshacer deshaz terugdraaien zuruck terug annulla ripristina
history versions version changed changes earlier before previous audit trail geschiedenis verlauf historique historial cronologia versioni versiones versies
category categories drawer drawers kind kinds sort sorts group groups categorie kategorie kategorien categoria categorias
log logged journal diary dagboek logboek tagebuch diario entry entries eintrag eintrage jotted wrote noted annota segna
mood feel feeling feelings felt happy sad tired exhausted low stressed stress angry anxious content proud calm energy argued stemming voel laune stimmung humeur fatigue fatiguee animo cansado cansada humor umore
sleep slept asleep nap bed woke wake awake geslapen slaap geschlafen schlaf schlafe dormi dormir sommeil dormido dormi duermo sueño dormito sonno
eat ate eaten breakfast lunch dinner supper meal snack food soup bread sandwich porridge pasta rice pizza burger salad egg eggs meat fish fruit apple banana cake croissant chocolate cheese cookie gegeten eten ontbijt gegessen essen frühstück mangé manger repas comí comer comido desayuno
drink drank drunk beer beers wine water tea coffee coffees espresso espressos juice milk alcohol cup glass bottle litre liter gedronken bier wijn koffie getrunken wasser kaffee wein bu boire eau verre bebí beber agua café cerveza
exercise workout sport sports gym training trained yoga run ran running jog jogged walk walked swim swam swimming cycle cycled ride rode bike hike hiked steps km kilometre kilometres kilometer mile miles gelopen gezwommen gefietst gewandeld gelaufen geschwommen couru courir nagé marché corrí correr corrido nadé nadar
pain ache aches hurt hurts hurting sore headache headaches migraine back knee stomach throat symptom symptoms ill sick fever cold cough flu nausea dizzy hoofdpijn pijn ziek schmerzen kopfschmerzen krank mal douleur malade dolor enfermo
weight weigh weighed kg kilo kilos pound blood pressure pulse temperature gewicht poids peso
medicine pill pills tablet tablets dose medication vitamin vitamins supplement
chore chores errand errands laundry groceries shopping dishes clean cleaned washed painted repaired fixed serviced watered mowed boodschappen einkaufen courses compra
bill bills rent pay paid tax taxes insurance passport renew return buy kopen kaufen acheter comprar bezahlen betalen payer pagar huur miete loyer
size sizes shoe shoes shirt trousers blood plate licence password passwords pin code codes key keys address addresses phone telephone birthday birthdays favourite favorite colour color prefer preference preferences allergy allergies allergic intolerance diet vegetarian vegan hate love likes dislike adres adresse dirección direccion telefoon wachtwoord passwort verjaardag geburtstag anniversaire cumpleaños talla taille größe maat couleur kleur farbe allergisch allergique allergico alérgico lievelings voorkeur
task tasks todo todos reminder remind list herinner herinneren erinnere erinnern rappelle rappeler recuérdame recuerdame rappel tarea tareas taak taken aufgabe aufgaben tache taches compito compiti attivita ricordami
done finish finishes finished complete completed tick cross check erledigt hak klaar afvinken termine fini hecho terminado fatto finito
defer postpone snooze later until
overview briefing rundown agenda plate look day
plan planning goals focus prepare organise organize template
review retrospective reflect reflection evaluate look back recap rückblick terugblick bilan repaso
average mean median trend streak statistics stats number numbers how many often statistik gemiddelde moyenne promedio row
search find look locate zoek zoeken such suche suchen finde cherche chercher trouve busca buscar encuentra cerca cercare trova trovare
show read open view see display toon laat zeig zeige lies montre lis muestra ensename lee mostra mostrami leggi apri vedi
create add make new set up maak nieuw erstell erstelle neu lege cree creer nouveau crea crear nuevo nueva aggiungi nuovo nuova
change edit update alter correct modify adjust rewrite wijzig wijzigen verander aendern andern andere modifie modifier cambia cambiar corrige modifica modificare correggi aggiorna
rename name call umbenennen hernoem renomme renommer renombra rinomina
move transfer verschieb verschiebe verplaats deplace deplacer mueve mover sposta spostare
conversation conversations thread discussion discuss discussed chain mailverlauf mailwisseling fil hilo exchange back-and-forth gesprek gesprach verlauf conversacion conversazione scambio
unanswered waiting wait await awaiting pending quiet silent outstanding owe
sync delta cursor since token poll diff changed
`

// slotLines are the words of the slots, one slot on each line. A slot is a place in a sentence
// with many possible words, such as a person or a time. Similar sentences have the same slots.
const slotLines = `
time today tomorrow yesterday tonight morning afternoon evening noon night week weekend month year monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december am pm oclock hour hours minute minutes day days date morgen heute gestern montag dienstag mittwoch donnerstag freitag samstag sonntag woche abend vandaag gisteren maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ochtend middag avond demain hier aujourdhui lundi mardi mercredi jeudi vendredi samedi dimanche semaine matin soir hoy manana ayer lunes martes miercoles jueves viernes sabado domingo semana tarde noche oggi domani ieri lunedi martedi mercoledi giovedi venerdi sabato domenica settimana mattina sera last next
person mother mum mom father dad sister brother wife husband partner son daughter aunt uncle grandma grandpa grandmother grandfather family friend friends boss manager colleague colleagues team secretary lawyer accountant dentist doctor landlord neighbour neighbours neighbor neighbors teacher school recruiter client customer supplier plumber builder notary kids children parents organiser vermieter steuerberater chef mutter vater schwester bruder frau mann moeder vader zus broer vrouw baas collega mere pere soeur frere comptable madre padre hermana hermano jefe abogado fratello sorella moglie marito figlio figlia capo collega commercialista mr mrs ms
`

// The marks of terms that are not words.
const (
	classMark = "~"
	slotMark  = "~~"
	verbMark  = "~!" // of verbClasses, which count for words and not for phrases
)

func isClass(term string) bool { return strings.HasPrefix(term, classMark) }
func isSlot(term string) bool  { return strings.HasPrefix(term, slotMark) }
func isVerb(term string) bool  { return strings.HasPrefix(term, verbMark) }

// classesOf returns the classes and slots of a stem: slots first, verb classes last.
func classesOf(stem string) []string {
	if stem[0] >= '0' && stem[0] <= '9' {
		return []string{slotMark + "number"}
	}
	return lexicalClasses().byStem[stem]
}

// synonymStems returns the other stems of a stem's classes, but not of its slots.
func synonymStems(stem string) []string {
	var list []string
	for _, class := range lexicalClasses().byStem[stem] {
		if isSlot(class) {
			continue
		}
		for _, synonym := range lexicalClasses().members[class] {
			if synonym != stem && !slices.Contains(list, synonym) {
				list = append(list, synonym)
			}
		}
	}
	return list
}

// classes has the slots of slotLines, and the classes of synonymLines and verbClasses.
type classes struct {
	byStem  map[string][]string // the classes and slots of a stem
	members map[string][]string // the stems of a class or slot, in the order of the line
}

// lexicalClasses returns all classes and slots. The first search builds them, because most
// processes never search.
var lexicalClasses = sync.OnceValue(func() classes {
	c := classes{byStem: map[string][]string{}, members: map[string][]string{}}
	add := func(mark, lines string) {
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			members := strings.Fields(line)
			class := mark + members[0]
			for _, word := range members {
				if s := words.Stem(words.Fold(word)); !slices.Contains(c.members[class], s) {
					c.members[class] = append(c.members[class], s)
					c.byStem[s] = append(c.byStem[s], class)
				}
			}
		}
	}
	add(slotMark, slotLines)
	add(classMark, synonymLines)
	add(verbMark, verbClasses)
	return c
})
