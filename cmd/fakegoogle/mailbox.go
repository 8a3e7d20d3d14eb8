package main

import (
	"fmt"
	"time"

	"kota/bundles/bundletest"
)

const (
	owner = "robin@example.com"
	alias = "hello@robins-bakery.example"
	mara  = "Mara Lindqvist <mara@example.com>"
	sasha = "Sasha Novak <sasha@example.com>"
)

// sampleMail is a message of the sample mailbox.
type sampleMail struct {
	mail      bundletest.GoogleMail
	ago       time.Duration // how long before now it arrived
	key       string        // identifies it to messages that reply to it; "" if none does
	repliesTo string        // the key of the message that it replies to, or ""
	labels    []string      // names of the user's own labels
}

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

var (
	inbox      = []string{"INBOX", "CATEGORY_PERSONAL"}
	unread     = []string{"INBOX", "UNREAD", "CATEGORY_PERSONAL"}
	starred    = []string{"INBOX", "STARRED", "IMPORTANT", "CATEGORY_PERSONAL"}
	promotions = []string{"INBOX", "UNREAD", "CATEGORY_PROMOTIONS"}
	updates    = []string{"INBOX", "CATEGORY_UPDATES"}
	social     = []string{"INBOX", "UNREAD", "CATEGORY_SOCIAL"}
	forums     = []string{"INBOX", "CATEGORY_FORUMS"}
	archived   = []string{"CATEGORY_PERSONAL"}
	sent       = []string{"SENT"}
	spam       = []string{"SPAM", "UNREAD"}
	trash      = []string{"TRASH", "CATEGORY_PERSONAL"}
)

// fillMailbox fills the owner's mailbox, including older generated messages,
// and creates the colleagues' accounts.
func fillMailbox(google *bundletest.Google, now time.Time, older int) {
	u := google.User(owner)
	u.SendAs(bundletest.GoogleSendAs{Email: owner, Name: "Robin Hale", Signature: "<div>Robin Hale<br>Bakery &amp; Books</div>"})
	u.SendAs(bundletest.GoogleSendAs{Email: alias, Name: "Robin's Bakery", Signature: "<div><b>Robin's Bakery</b> - open 7 to 4</div>"})
	for _, name := range []string{"Receipts", "Travel/Lisbon", "Waiting for"} {
		u.Label(name)
	}
	for _, colleague := range []string{"mara@example.com", "sasha@example.com"} {
		google.User(colleague)
	}
	for i := range older {
		u.Deliver(olderMail(i, now))
	}
	keys := map[string]string{}
	for _, messages := range [][]sampleMail{workMail(now), homeMail(now), bulkMail(now), otherCharsets(now)} {
		for _, m := range messages {
			m.mail.Date = now.Add(-m.ago)
			for _, name := range m.labels {
				m.mail.Labels = append(append([]string{}, m.mail.Labels...), u.Label(name))
			}
			if m.repliesTo != "" {
				m.mail.ThreadWith = keys[m.repliesTo]
			}
			delivered := u.Deliver(m.mail)
			if m.key != "" {
				keys[m.key] = delivered.ID
			}
		}
	}
}

// olderMail returns the older message with the index i. Apart from the date, it
// is the same at every start.
func olderMail(i int, now time.Time) bundletest.GoogleMail {
	topics := []string{"Delivery note", "Minutes of the meeting", "Oven maintenance", "Question about the order", "Rye flour prices", "Rota for next week", "Photos of the cake"}
	people := []string{mara, sasha, "Jo Park <jo@mill.example>", "Nina Roy <nina@paper.example>", "Tom Baxter <tom@ovens.example>"}
	labels := archived
	if i%5 == 0 {
		labels = inbox
	}
	return bundletest.GoogleMail{
		From:    people[i%len(people)],
		To:      owner,
		Subject: fmt.Sprintf("%s %d", topics[i%len(topics)], i+1),
		Text:    fmt.Sprintf("Hello Robin,\n\nthis is number %d of what we spoke about: %s.\nNothing to do for you.\n\nBest wishes\n", i+1, topics[i%len(topics)]),
		Date:    now.Add(-60*day - time.Duration(i)*37*time.Minute),
		Labels:  labels,
	}
}
