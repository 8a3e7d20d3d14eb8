package main

import (
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"kota/bundles/bundletest"
)

// KOTA never fetches what mail and events link to, neither to show nor to
// answer them.
func TestUntrustedLinksAreNotFetched(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }), ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			asked.Add(1) // also for a mere handshake
		}
	}}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	base := "http://" + listener.Addr().String()

	d := newCalendarHome(t, "")
	d.configure("send: allow\n")
	page := strings.ReplaceAll(`<head><link rel="stylesheet" href="BASE/a.css"><style>@import url(BASE/b.css); p { background: url(BASE/c.png) }</style><meta http-equiv="refresh" content="0;url=BASE/d"></head>
<p style="background-image:url(BASE/e.png)">Look: <img src="BASE/f.png" width="300" height="200" srcset="BASE/g.png 2x"> <img src="BASE/h.gif" width="1" height="1"></p>
<iframe src="BASE/i"></iframe><video poster="BASE/j.png" src="BASE/k.mp4"></video><object data="BASE/l"></object><svg><image href="BASE/m.png"/></svg>
<a href="BASE/n" ping="BASE/o">here</a> ![x](BASE/p.png)`, "BASE", base)
	mail := d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, Subject: "Look", HTML: page, Text: base + "/q", Headers: []string{
		"List-Unsubscribe: <" + base + "/r>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
		"Disposition-Notification-To: " + bob, "X-Image-URL: " + base + "/s.png",
	}, Attachments: []bundletest.GoogleAttachment{{Name: "page.html", Type: "text/html", Data: []byte(page)}, {Name: "x.ics", Type: "text/calendar", Data: []byte("BEGIN:VCALENDAR\r\nATTACH:" + base + "/t\r\nEND:VCALENDAR\r\n")}}})
	event := hourEvent(9, "Look", ann)
	event["description"], event["location"] = page, base+"/u"
	event["attachments"] = []object{{"title": "Sheet", "fileUrl": base + "/v", "iconLink": base + "/w.png"}}
	id := d.google.User(bob).AddEvent("primary", event)

	seen := ""
	for tool, args := range map[string]object{
		"gmail_search_messages": {"query": "in:inbox"}, "gmail_get_message": {"id": mail.ID}, "gmail_get_thread": {"thread_id": mail.ID, "include_quoted": true},
		"gmail_get_attachment": {"message_id": mail.ID, "attachment": "page.html", "as": "text"}, "gmail_unsubscribe": {"message_id": mail.ID},
		"gmail_reply_message": {"message_id": mail.ID, "body": "Seen.", "as_draft": true}, "gmail_forward_message": {"message_id": mail.ID, "to": []string{"carol@example.net"}},
		"gmail_send_message":   {"to": []string{bob}, "subject": "x", "body": "![x](" + base + "/x.png)"},
		"calendar_list_events": {"from": someday, "to": someday}, "calendar_get_event": {"event_id": id},
	} {
		seen += d.mustCall(tool, args).raw
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d connections and requests were made", n)
	}
	if strings.Contains(seen, "/f.png") || strings.Contains(seen, "/h.gif") || strings.Count(seen, base+"/n") < 2 {
		t.Errorf("pictures are shown, or the link is not: %s", seen)
	}
}
