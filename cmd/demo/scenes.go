package main

import (
	"context"
	"regexp"
	"strings"
)

// The mail in the pictures.
var mail = []string{"call", "gmail_send_message", `to:=["anna.berg@friends.example"]`, "subject=The hike in May", "body=I am in. See you on Friday!"}

const mailTyped = `kota call gmail_send_message to:='["anna.berg@friends.example"]' subject='The hike in May' \` + "\n" +
	`    body='I am in. See you on Friday!'`

var pendingID = regexp.MustCompile(`\ba_[0-9a-z]+`)

// script types commands and their output onto a screen.
type script struct {
	screen
	now float64
}

func (s *script) typed(command string) {
	s.now += 1.2
	for i, row := range strings.Split(command, "\n") {
		if i == 0 {
			row = "$ " + row
		}
		s.lines = append(s.lines, line{text: row, prompt: true, at: s.now})
	}
	s.now += .8
}

// shows adds at most rows rows of output, and … if there are more.
func (s *script) shows(output string, rows int) {
	wrapped := wrap(output)
	if len(wrapped) > rows {
		last := []rune(wrapped[rows-1])
		wrapped = append(wrapped[:rows-1], string(last[:min(len(last), columns-1)])+"…")
	}
	for _, row := range wrapped {
		s.lines = append(s.lines, line{text: row, at: s.now})
	}
	s.lines = append(s.lines, line{at: s.now})
	s.now += 2
}

// session shows the first minutes: connect, remember, recall, send with approval.
func (s *studio) session(ctx context.Context) screen {
	t := script{screen: screen{title: "KOTA in twenty seconds"}}
	t.typed("kota install cursor")
	t.shows(s.run(ctx, "install", "cursor"), 3)
	t.typed("kota call memory_set key='coffee order' value='flat white, oat milk'")
	t.shows(s.run(ctx, "call", "memory_set", "key=coffee order", "value=flat white, oat milk"), 1)
	t.typed("kota call memory_get query='what is my usual cofee order?'")
	t.shows(s.run(ctx, "call", "memory_get", "query=what is my usual cofee order?"), 2)
	t.typed(mailTyped)
	answer := s.run(ctx, mail...)
	id := pendingID.FindString(answer)
	t.shows(answer, 2)
	t.typed("kota approve " + id + " --yes")
	t.shows(s.run(ctx, "approve", id, "--yes"), 20)
	return t.screen
}

func (s *studio) briefing(ctx context.Context) screen {
	t := script{screen: screen{title: "What does my day look like?"}}
	t.typed("kota call daily_briefing | jq .calendar")
	t.shows(s.field(s.run(ctx, "call", "daily_briefing"), "calendar"), 24)
	return t.screen
}

func (s *studio) approval(ctx context.Context) screen {
	t := script{screen: screen{title: "Nothing is sent without you"}}
	reply := append([]string{}, mail...)
	reply[3] = "subject=Saturday"
	id := pendingID.FindString(s.run(ctx, reply...))
	t.typed("kota pending " + id)
	t.shows(s.run(ctx, "pending", id), 20)
	return t.screen
}

func (s *studio) event(ctx context.Context) screen {
	t := script{screen: screen{title: "Put the dentist on Thursday, and take it back"}}
	t.typed("kota call calendar_create_event title=Dentist start='thursday 08:20' end='thursday 09:00' | jq .event")
	t.shows(s.field(s.run(ctx, "call", "calendar_create_event", "title=Dentist", "start=thursday 08:20", "end=thursday 09:00"), "event"), 8)
	t.typed("kota undo --limit 1")
	list := s.run(ctx, "undo", "--limit", "1")
	t.shows(list, 2)
	id, _, _ := strings.Cut(list, " ")
	t.typed("kota undo " + id)
	t.shows(s.run(ctx, "undo", id), 6)
	return t.screen
}
