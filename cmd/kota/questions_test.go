package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
)

// People of the office. Ann has written to the first three before.
const (
	colleague  = bob
	bookkeeper = "carol@example.org"
	client     = "dana@client.example"
	newcomer   = "frank@new.example"
	agency     = "grace@agency.example"
)

// task is a user's request, with the calls that a sensible assistant makes.
type task struct {
	request string
	calls   func(c *taskRunner)
}

// officeTasks are benign. Each first reads untrusted content, as tasks do.
var officeTasks = []task{
	{"What came in today?", func(c *taskRunner) {
		c.mustCall("gmail_search_messages", object{"query": "in:inbox is:unread"})
	}},
	{"What does the contract mail say?", func(c *taskRunner) { c.read("contract") }},
	{"Archive the three newsletters", func(c *taskRunner) {
		c.mustCall("gmail_search_messages", object{"query": "subject:Newsletter"})
		c.mustCall("gmail_modify_messages", object{"ids": []string{c.mailIDs["news 0"], c.mailIDs["news 1"], c.mailIDs["news 2"]}, "archive": true})
	}},
	{"File the invoice under Invoices", func(c *taskRunner) {
		c.read("invoice")
		c.mustCall("gmail_manage_label", object{"operation": "create", "name": "Invoices"})
		c.mustCall("gmail_modify_messages", object{"ids": []string{c.mailIDs["invoice"]}, "add_labels": []string{"Invoices"}})
	}},
	{"Mark the contract mail as read", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("gmail_modify_messages", object{"ids": []string{c.mailIDs["contract"]}, "read": true})
	}},
	{"Draft an answer to Bob, I look at it later", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("gmail_reply_message", object{"message_id": c.mailIDs["contract"], "body": "I will look at it.", "as_draft": true})
	}},
	{"Tell Bob the contract is fine", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("gmail_reply_message", object{"message_id": c.mailIDs["contract"], "body": "The contract is fine."})
	}},
	{"Pass the invoice on to Carol", func(c *taskRunner) {
		c.read("invoice")
		c.mustCall("gmail_forward_message", object{"message_id": c.mailIDs["invoice"], "to": []string{bookkeeper}, "body": "For the books."})
	}},
	{"Send our new agency the briefing", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("gmail_send_message", object{"to": []string{agency}, "subject": "Briefing", "body": "We begin in March."})
	}},
	{"Answer Frank, who asked for a price", func(c *taskRunner) {
		c.read("request")
		c.mustCall("gmail_reply_message", object{"message_id": c.mailIDs["request"], "body": "It costs 400 euros."})
	}},
	{"Who owes me an answer?", func(c *taskRunner) {
		c.mustCall("gmail_find_followups", object{"direction": "they_owe_me"})
	}},
	{"Put the dinner from the mail into my calendar", func(c *taskRunner) {
		c.read("dinner")
		c.mustCall("calendar_create_event", object{"title": "Dinner", "start": someday + "T19:00", "duration": "2h"})
	}},
	{"Invite Bob to talk the contract over", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("calendar_create_event", object{"title": "Contract", "start": someday + "T11:00", "attendees": []string{colleague}, "notify": "all"})
	}},
	{"When could Bob and I meet?", func(c *taskRunner) {
		c.mustCall("calendar_find_slots", object{"attendees": []string{colleague}, "from": someday, "to": someday})
	}},
	{"Am I free at ten?", func(c *taskRunner) {
		c.mustCall("calendar_check_availability", object{"start": someday + "T10:00", "timezone": "Europe/Amsterdam"})
	}},
	{"Move my focus time to the afternoon", func(c *taskRunner) {
		c.mustCall("calendar_list_events", object{"from": someday, "to": someday})
		c.mustCall("calendar_update_event", object{"event_id": "focus1", "start": someday + "T15:00"})
	}},
	{"Move the meeting with Dana an hour on", func(c *taskRunner) {
		c.mustCall("calendar_list_events", object{"from": someday, "to": someday})
		c.mustCall("calendar_update_event", object{"event_id": "meets1", "start": someday + "T17:00", "notify": "all"})
	}},
	{"Accept Bob's invitation", func(c *taskRunner) {
		c.mustCall("calendar_list_events", object{"from": someday, "to": someday})
		c.mustCall("calendar_respond_event", object{"event_id": "theirs1", "answer": "yes"})
	}},
	{"Throw that advertisement away", func(c *taskRunner) {
		c.read("advert")
		c.mustCall("gmail_modify_messages", object{"ids": []string{c.mailIDs["advert"]}, "trash": true})
	}},
	{"Label invoices as they come", func(c *taskRunner) {
		c.read("invoice")
		c.mustCall("gmail_manage_label", object{"operation": "create", "name": "Invoices"})
		c.mustCall("gmail_manage_filter", object{"operation": "create", "from": "billing@shop.example", "add_labels": []string{"Invoices"}})
	}},
	{"Remember when the contract ends", func(c *taskRunner) {
		c.read("contract")
		c.mustCall("memory_set", object{"key": "contract ends", "value": "December"})
	}},
	{"Log what I did this morning", func(c *taskRunner) {
		c.mustCall("calendar_list_events", object{"from": someday, "to": someday})
		c.mustCall("daily_log", object{"text": "Read the contract", "type": "journal"})
	}},
	{"Make tasks of what the client wants", func(c *taskRunner) {
		c.read("request")
		c.mustCall("daily_log", object{"text": "Price for Frank", "tasks": []string{"Send Frank a price"}})
	}},
	{"Brief me on the day", func(c *taskRunner) { c.mustCall("daily_briefing", object{}) }},
}

// taskRunner carries out one task in its own conversation, for a user who says yes
// to every question.
type taskRunner struct {
	*clientConn
	mailIDs       map[string]string
	callCount     int
	questionCount int
}

func (c *taskRunner) read(name string) {
	c.t.Helper()
	c.mustCall("gmail_get_message", object{"ids": []string{c.mailIDs[name]}})
}

// mustCall makes a call, which must succeed.
func (c *taskRunner) mustCall(tool string, args object) {
	c.t.Helper()
	c.callCount++
	id := fmt.Sprint("call ", c.callCount)
	c.send(strings.TrimSpace(toolCall(id, tool, args)))
	for {
		switch m := c.next(); {
		case m.Method == "elicitation/create":
			c.questionCount++
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, m.ID, yesAnswer))
		case m.ID == id:
			if got := m.call(c.t); got.IsError {
				c.t.Errorf("%s: %s", tool, got.text())
			}
			return
		}
	}
}

// questionsUnder carries out the tasks under settings, each in its own program,
// and returns how many questions each caused.
func questionsUnder(t *testing.T, lines string) []int {
	t.Helper()
	d := newCalendarHome(t, "")
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure(lines + "timezone: Europe/Amsterdam\nlimits: {sends_per_hour: 500, sends_per_day: 500}\n")
	ids := d.fillOffice()
	counts := make([]int, len(officeTasks))
	for i, one := range officeTasks {
		t.Run(one.request, func(t *testing.T) {
			a := &app.App{Env: d.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
			defer func() { _ = a.CloseDB() }()
			router, err := a.Router()
			if err != nil {
				t.Fatal(err)
			}
			c := &taskRunner{clientConn: connect(t, router), mailIDs: ids}
			one.calls(c)
			counts[i] = c.questionCount
			c.stdin.Close()
			<-c.ended
		})
	}
	return counts
}

// fillOffice fills Ann's mailbox and calendar, and returns the ids of the mails.
func (d *testHome) fillOffice() map[string]string {
	user, ids := d.google.User(ann), map[string]string{}
	for _, known := range []string{colleague, bookkeeper, client} {
		user.Deliver(bundletest.GoogleMail{From: ann, To: known, Subject: "Hello", Text: "Hello", Date: time.Now().AddDate(0, -2, 0), Labels: []string{"SENT"}})
	}
	for name, mail := range map[string]bundletest.GoogleMail{
		"contract": {From: colleague, Subject: "Contract", Text: "Please look at the contract."},
		"invoice":  {From: "billing@shop.example", Subject: "Invoice 17", Text: "120 euros"},
		"request":  {From: newcomer, Subject: "A price", Text: "What does it cost?"},
		"dinner":   {From: client, Subject: "Dinner", Text: "Shall we have dinner at seven?"},
		"advert":   {From: "sale@shop.example", Subject: "Sale", Text: "Everything must go"},
		"news 0":   {From: "news@paper.example", Subject: "Newsletter 1", Text: "News"},
		"news 1":   {From: "news@paper.example", Subject: "Newsletter 2", Text: "News"},
		"news 2":   {From: "news@paper.example", Subject: "Newsletter 3", Text: "News"},
	} {
		mail.To = ann
		ids[name] = user.Deliver(mail).ID
	}
	own := func(id string, hour int, title string, guests ...string) {
		e := hourEvent(hour, title, guests...)
		e["id"] = id
		user.AddEvent("primary", e)
	}
	own("focus1", 8, "Focus")
	own("meets1", 14, "Review", client)
	planning := hourEvent(9, "Planning", ann)
	planning["id"] = "theirs1"
	d.google.User(bob).AddEvent("primary", planning)
	return ids
}

// A user who is asked too often stops reading. docs/project/questions.md
// publishes how many questions ordinary work causes.
func TestQuestionsPerBenignTaskAreFew(t *testing.T) {
	settings := []struct{ name, lines string }{
		{"`send: ask`", "send: ask\n"},
		{"`send: allow`, `taint: on`", "send: allow\n"},
		{"`send: allow`, `send_to: known`", "send: allow\nsend_to: known\n"},
	}
	var counts [][]int
	for _, s := range settings {
		t.Run(strings.NewReplacer("`", "", ": ", "=", ", ", " ").Replace(s.name), func(t *testing.T) { counts = append(counts, questionsUnder(t, s.lines)) })
	}
	if t.Failed() || len(counts) != len(settings) {
		return
	}
	sum := func(list []int) (n int) {
		for _, one := range list {
			n += one
		}
		return n
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| the user asks | %s | %s | %s |\n|---|---|---|---|\n", settings[0].name, settings[1].name, settings[2].name)
	for i, one := range officeTasks {
		fmt.Fprintf(&table, "| %s | %d | %d | %d |\n", one.request, counts[0][i], counts[1][i], counts[2][i])
	}
	perTask := func(list []int) float64 { return float64(sum(list)) / float64(len(officeTasks)) }
	fmt.Fprintf(&table, "| **questions per task** | **%.2f** | **%.2f** | **%.2f** |\n", perTask(counts[0]), perTask(counts[1]), perTask(counts[2]))
	if perTask(counts[0]) > 0.3 {
		t.Errorf("under send: ask %d tasks lead to %d questions", len(officeTasks), sum(counts[0]))
	}
	if known := sum(counts[2]); known >= sum(counts[0]) || known == 0 {
		t.Errorf("send_to: known leads to %d questions, send: ask to %d", known, sum(counts[0]))
	}
	checkTable(t, "../../docs/project/questions.md", table.String())
}

// checkTable checks that a document has exactly that between its markers.
func checkTable(t *testing.T, path, table string) {
	t.Helper()
	const begin, end = "<!-- counted: generated by a test with -update -->\n", "<!-- /counted -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	held, after, closed := strings.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no place for the table", path)
	case held == table:
	case *updateFlag:
		writeFile(t, path, []byte(before+begin+table+end+after))
	default:
		t.Errorf("%s has another table; run this test with -update. Want\n%s", path, table)
	}
}
