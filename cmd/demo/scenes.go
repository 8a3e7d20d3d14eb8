package main

import (
	"context"
	"regexp"
	"strings"
)

// mailCall has the arguments of the kota command that sends the mail in the
// pictures.
var mailCall = []string{"call", "gmail_send_message", `to:=["anna.berg@friends.example"]`, "subject=The hike in May", "body=I am in. See you on Friday!"}

// mailCommand is mailCall as a user types it.
const mailCommand = `kota call gmail_send_message to:='["anna.berg@friends.example"]' subject='The hike in May' \` + "\n" +
	`    body='I am in. See you on Friday!'`

var pendingIDPattern = regexp.MustCompile(`\ba_[0-9a-z]+`)

// script writes commands and their output to a screen.
type script struct {
	screen
	elapsed float64 // seconds after the start
}

func (s *script) typeCommand(command string) {
	s.elapsed += 1.2
	for i, row := range strings.Split(command, "\n") {
		if i == 0 {
			row = "$ " + row
		}
		s.lines = append(s.lines, line{text: row, prompt: true, at: s.elapsed})
	}
	s.elapsed += .8
}

// showOutput adds the first rows of output, at most maxRows. The last ends with
// … if there are more.
func (s *script) showOutput(output string, maxRows int) {
	wrapped := wrap(output)
	if len(wrapped) > maxRows {
		last := []rune(wrapped[maxRows-1])
		wrapped = append(wrapped[:maxRows-1], string(last[:min(len(last), columns-1)])+"…")
	}
	for _, row := range wrapped {
		s.lines = append(s.lines, line{text: row, at: s.elapsed})
	}
	s.lines = append(s.lines, line{at: s.elapsed})
	s.elapsed += 2
}

// drawSession shows the first minutes: connect, remember, recall, send with approval.
func (s *demoHome) drawSession(ctx context.Context) screen {
	t := script{screen: screen{title: "KOTA in twenty seconds"}}
	t.typeCommand("kota install cursor")
	t.showOutput(s.run(ctx, "install", "cursor"), 3)
	t.typeCommand("kota call memory_set key='coffee order' value='flat white, oat milk'")
	t.showOutput(s.run(ctx, "call", "memory_set", "key=coffee order", "value=flat white, oat milk"), 1)
	t.typeCommand("kota call memory_get query='what is my usual cofee order?'")
	t.showOutput(s.run(ctx, "call", "memory_get", "query=what is my usual cofee order?"), 2)
	t.typeCommand(mailCommand)
	answer := s.run(ctx, mailCall...)
	id := pendingIDPattern.FindString(answer)
	t.showOutput(answer, 2)
	t.typeCommand("kota approve " + id + " --yes")
	t.showOutput(s.run(ctx, "approve", id, "--yes"), 20)
	return t.screen
}

func (s *demoHome) drawBriefing(ctx context.Context) screen {
	t := script{screen: screen{title: "What does my day look like?"}}
	t.typeCommand("kota call daily_briefing | jq .calendar")
	t.showOutput(s.field(s.run(ctx, "call", "daily_briefing"), "calendar"), 24)
	return t.screen
}

func (s *demoHome) drawApproval(ctx context.Context) screen {
	t := script{screen: screen{title: "Nothing is sent without you"}}
	reply := append([]string{}, mailCall...)
	reply[3] = "subject=Saturday"
	id := pendingIDPattern.FindString(s.run(ctx, reply...))
	t.typeCommand("kota pending " + id)
	t.showOutput(s.run(ctx, "pending", id), 20)
	return t.screen
}

func (s *demoHome) drawEvent(ctx context.Context) screen {
	t := script{screen: screen{title: "Put the dentist on Thursday, and take it back"}}
	t.typeCommand("kota call calendar_create_event title=Dentist start='thursday 08:20' end='thursday 09:00' | jq .event")
	t.showOutput(s.field(s.run(ctx, "call", "calendar_create_event", "title=Dentist", "start=thursday 08:20", "end=thursday 09:00"), "event"), 8)
	t.typeCommand("kota undo --limit 1")
	list := s.run(ctx, "undo", "--limit", "1")
	t.showOutput(list, 2)
	id, _, _ := strings.Cut(list, " ")
	t.typeCommand("kota undo " + id)
	t.showOutput(s.run(ctx, "undo", id), 6)
	return t.screen
}
