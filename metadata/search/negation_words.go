package search

// The words that keep a request from being one, in English, Dutch, German, French, Spanish and
// Italian. A ready call that is missing costs a caller a moment, and a wrong one may send a mail.
// The lists are therefore long, and the exceptions to them are short.
var (
	negations = wordSet(`not never nothing nobody noone none neither without no dont doesnt didnt wont cant cannot shouldnt mustnt wouldnt couldnt neednt isnt arent wasnt havent hasnt
niet nooit niets niks niemand geen zonder nicht nie niemals nichts niemand niemandem niemanden kein keine keinen keinem keiner keines keinesfalls ohne
ne n pas jamais rien aucun aucune sans nunca jamas nada nadie tampoco sin ningun ninguna ninguno non mai nulla niente nessun nessuna nessuno senza`)
	// postponing words after a verb also keep it from happening now: "send it later".
	postponing = wordSet(`later spater`)
	// avoiding verbs negate only what follows them: "avoid sending a mail".
	avoiding = wordSet(`avoid avoiding refrain abstain hold wait postpone delay stop prevent
vermijd vermijden voorkom wacht wachten stop nalaten vermeide vermeiden warte warten unterlass unterlasse unterlassen verzichte stopp
evite eviter evitez attends attendez attendre abstiens abstenez arrete evita evitar evites espera esperar abstente deja evitare eviti aspetta aspettare astieniti smetti`)
	// limiting words say how to do a thing if they follow its verb: "delete it without a mail".
	limiting = wordSet(`without zonder ohne sans sin senza`)
	// A negation of one of these verbs asks for what follows: "don't forget to send it".
	omitting = wordSet(`forget hesitate vergeet vergeten vergiss vergessen oublie oublier oubliez olvide olvides olvidar dudes dimenticare dimenticarti scordare scordarti hesiter hesite`)
	// After these words, a clause asks again: "don't archive but delete it".
	reversals = wordSet(`but just instead so maar dus gewoon sondern mais donc sino pero ma quindi invece`)
	// comparing words after a negation set a limit: "no later than Friday".
	comparing = wordSet(`later earlier sooner more less fewer spater fruher mehr weniger eerder meer minder plus moins mas menos piu meno`)
	than      = wordSet(`than als dan que de di tard tarde tardi`)
	// These avoiding verbs may have their object in the next clause: "vermeide es, Mails zu senden".
	avoidingLater = wordSet(`vermeide vermeiden verzichte verzichten unterlass unterlasse`)
	// A clause with its own subject describes a thing: "the mail that I did not get".
	subordinating = wordSet(`who which whom whose because if when what i we he she they im ive weve hes shes theyre
omdat als wat wie ik wij hij zij weil wenn wer ich wir er dass qui parce quand il elle nous quien porque cuando yo lo chi perche quando io`)
	// These words begin such a clause too, unless they point at a thing: "send that mail".
	pointing = wordSet(`that dat die das que che`)
	subjects = wordSet(`i we he she they it you the my our this im ive hes shes theyre its ik je hij zij ze we het de mijn onze ich er sie wir es der die meine unsere je il elle on nous le la les mon ma me el los las mi mio nos io lui lei lo gli`)
	// suggesting words before a negation make a proposal: "why don't you send it".
	suggesting = wordSet(`why warum waarom pourquoi`)
)

// Words that look like a negation of the verb before them, but negate nothing.
var (
	// After one of these verbs, "no" is the answer: "reply no to Bob", "responde que no a Ana".
	answering = wordSet(`reply answer respond rsvp responde responder responda respondas contesta contestar conteste contestes rispondi rispondere risponda`)
	// Between such a verb and its answer.
	answerLinks = wordSet(`que di che with con of`)
	// After the answer. Another word is what nobody gets: "answer no mails".
	afterAnswer = wordSet(`to a al ad alla allo agli ai thanks gracias grazie for per para please por`)

	// "send nothing but the invoice" asks to send it.
	onlyPairs = wordSet(`nothing/but nothing/except nichts/als nichts/ausser anderes/als niets/dan niets/behalve anders/dan rien/que rien/sauf autre/que
mas/que nada/salvo nada/excepto altro/che niente/tranne nulla/tranne`)

	// "no longer needed" and "no-reply" describe a thing, and so does "never opened".
	describedByNo    = wordSet(`longer reply`)
	describedByNever = wordSet(`opened read used seen sent paid lu lue lus lues ouvert ouverte ouverts ouvertes utilise utilisee utilises utilisees consulte consultee consultes consultees
aperto aperta aperti aperte letto letta letti lette visto vista visti viste abierto abierta abiertos abiertas vistos vistas`)
	neverWords = wordSet(`never nie niemals nooit jamais nunca jamas mai`)
	notWords   = wordSet(`nicht niet no`)
	moreWords  = wordSet(`mehr meer mas`)
	frenchNe   = wordSet(`n ne`)
	frenchPas  = wordSet(`pas rien jamais plus aucun aucune`)
)

// The words of queries that ask for nothing to be changed.
var (
	// anyAvoiding verbs may begin a query that avoids any change: "refrain from logging this".
	anyAvoiding = wordSet(`avoid refrain`)
	// leadingWords may come before a negation: "please do not", "todavía no".
	leadingWords = wordSet(`please do does you must should may bitte aub alsjeblieft graag surtout svp todavia aun por favor per ancora still you u je du tu`)
	// asides are words of a last clause that asks for nothing to be changed: "just tell me first".
	asides = wordSet(`tell say know just first ok okay thanks please only dry run`)
	// alternatives begin a second part of a question: "was it sent, or deleted".
	alternatives = wordSet(`or of oder ou o oppure`)
)

// The words of questions and reports, besides those of questionOpenings.
var (
	// wonderingWords begin a question whether a thing is possible, right or done, in the other
	// languages.
	wonderingWords = wordSet(`kan mag moet kann darf soll puis dois ai est es se puedo debo posso devo si e ist is was were has have had did
heb hebben heeft hebt had zijn werd wurde habe haben hast hat he ha has hemos han ho hai abbiamo avete hanno as avez avons ont gibt`)
	// politeWords begin a request in the form of a question, with or without "you".
	politeWords = wordSet(`kun kunt wil wilt zou kannst konnen konntest wurdest wurden magst peux pouvez pourrais pourriez veux voulez puedes puede podrias podria quieres puoi potresti vuoi potrebbe please bitte`)
	// subjectsOfQuestions after such a word of possibility make it a question, not a request to KOTA.
	subjectsOfQuestions = wordSet(`i we he she they it the this that my our one anybody anyone ik men het de dit dat mijn we ich man es das der die mein wir je on il elle ce yo se uno possibile possible posible mogelijk moglich puede pueden puo possono`)
	// abilityWords before "you" also begin such a request.
	abilityWords = wordSet(`can could would will`)
	// greetings may come before a request or a question.
	greetings = wordSet(`hey hi hello ok okay so and um uh well kota hoi hallo ja en und et y ehi ciao hola salut bonjour dis`)
	// firstPerson are forms of can and must that begin a question without a person.
	firstPerson = wordSet(`puedo podemos debo debemos posso possiamo devo dobbiamo`)
	// participles are those of sending and deleting: "I sent the mail" reports.
	participles = wordSet(`sent replied answered forwarded invited deleted removed erased discarded cancelled canceled trashed declined accepted unsubscribed
verstuurd gestuurd verzonden beantwoord geantwoord doorgestuurd verwijderd gewist weggegooid geannuleerd afgezegd uitgenodigd
geschickt gesendet versendet verschickt abgeschickt beantwortet geantwortet weitergeleitet geloscht entfernt verworfen abgesagt storniert eingeladen
envoye envoyee repondu transfere supprime supprimee efface effacee annule annulee jete invite
enviado mandado respondido contestado reenviado borrado eliminado cancelado anulado invitado
inviato inviata mandato mandata spedito risposto inoltrato cancellato cancellata eliminato eliminata annullato annullata invitato`)
	// auxiliaries are the auxiliaries before these participles.
	auxiliaries = wordSet(`have has had ive weve was were been is are did got i we he she they heb hebt heeft hebben is was werd zijn habe hast hat haben wurde wurden ist sind ai as a avons avez ont est ete he has ha hemos han fue ho hai abbiamo avete hanno stato stata`)
	// wishing words make a participle a wish: "I want it deleted".
	wishing = wordSet(`want wants need needs needed get like can may should must please wil moet soll muss kann veux doit quiero debe voglio deve`)
)
