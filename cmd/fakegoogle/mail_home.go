package main

import (
	"time"

	"kota/bundles/bundletest"
)

// homeMail returns private mail: from family and friends, about journeys, a
// dentist and a library.
func homeMail(now time.Time) []sampleMail {
	me := "Robin Hale <" + owner + ">"
	return []sampleMail{
		{key: "lisbon", ago: 12 * day, labels: []string{"Travel/Lisbon"}, mail: bundletest.GoogleMail{
			From: "Air Lusitania <booking@air.example>", Subject: "Booking K7QX2P confirmed: Lisbon", Labels: updates,
			HTML: `<html><head><style>.x{color:#333}</style><title>Booking</title></head><body><table class="x"><tr><td>Flight</td><td><b>LU 482</b></td></tr><tr><td>Departs</td><td>` +
				now.AddDate(0, 0, 20).Format("2 January 2006") + `, 07:35</td></tr><tr><td>Reference</td><td>K7QX2P</td></tr></table><p>Check in <a href="https://air.example/checkin?ref=K7QX2P&amp;utm_source=mail">online</a> from 48 hours before.</p></body></html>`,
		}},
		{ago: 11 * day, labels: []string{"Travel/Lisbon"}, mail: bundletest.GoogleMail{
			From: "Casa do Rio <stay@casadorio.example>", Subject: "Confirmação da reserva / Your reservation", Labels: archived,
			Text: "Olá Robin,\n\na sua reserva está confirmada: três noites, quarto com vista para o rio.\nCheck-in is from 15:00; the code for the door is 4711.\n\nAté breve!\n",
		}},
		{key: "mum", ago: 6 * day, mail: bundletest.GoogleMail{
			From: "Mum <greta.hale@family.example>", Subject: "Sunday", Labels: inbox,
			Text: "Dear Robin,\n\nare you coming on Sunday? Your father wants to know for how many he should cook.\n\nLove, Mum\n",
		}},
		{key: "mum2", repliesTo: "mum", ago: 6*day - 3*hour, mail: bundletest.GoogleMail{
			From: me, To: "Mum <greta.hale@family.example>", Labels: sent, Text: "Yes, both of us. We bring the bread.\n",
		}},
		{repliesTo: "mum2", ago: 5 * day, mail: bundletest.GoogleMail{
			From: "Mum <greta.hale@family.example>", Labels: inbox,
			Text:        "Lovely! And here is the picture you asked for.\n",
			Attachments: []bundletest.GoogleAttachment{{Name: "IMG_0231.jpg", Type: "image/jpeg", Data: make([]byte, 180_000)}},
		}},
		{ago: 20 * hour, mail: bundletest.GoogleMail{
			From: "Leo <leo@friends.example>", To: "climbers@friends.example", Cc: me, Subject: "🧗 Saturday?", Labels: unread,
			Text: "Who is in? 10:00 at the wall. Zoë has the rope.\n",
		}},
		{ago: 30 * hour, mail: bundletest.GoogleMail{
			From: "Anna Berg <anna.berg@friends.example>", Subject: "The hike in May", Labels: unread,
			Text:        "Hi Robin,\n\nthe route is attached. Can you tell me by Friday whether you come?\n\nAnna\n",
			Attachments: []bundletest.GoogleAttachment{{Name: "route.pdf", Type: "application/pdf", Data: pdf("The hike in May")}},
		}},
		{ago: 16 * day, mail: bundletest.GoogleMail{
			From: "Dr. Okafor's practice <desk@dentist.example>", Subject: "Reminder: appointment", Labels: starred,
			Text: "Dear Robin Hale,\n\nyour check-up is on " + now.AddDate(0, 0, 6).Format("2 January 2006") + " at 08:20. Please tell us 24 hours before if you cannot come: 555 0134.\n",
		}},
		{ago: 33 * day, mail: bundletest.GoogleMail{
			From: "Library <noreply@library.example>", Subject: "Two books are due", Labels: archived,
			Text: "The Bread Baker's Apprentice\nFlour Water Salt Yeast\n\nRenew at https://library.example/renew/88121\n",
		}},
		{ago: 2 * day, mail: bundletest.GoogleMail{
			From: "Leo <leo@friends.example>", Subject: "Fwd: photos", Labels: unread,
			HTML: `<div>See the picture:</div><img src="cid:pic1@friends"><div>More at <a href="https://photos.example/a/77">the album</a>.</div>`,
			Attachments: []bundletest.GoogleAttachment{
				{Name: "summit.png", Type: "image/png", Data: append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 4000)...), ID: "pic1@friends"},
				{Name: "../../notes.txt", Type: "text/plain", Data: []byte("The name of this file is not where to put it.\n")},
			},
		}},
		{ago: 4 * day, mail: bundletest.GoogleMail{
			From: "Old Shed Sale <shed@local.example>", Subject: "Shed for sale", Labels: trash, Text: "Still looking for a shed?\n",
		}},
	}
}
