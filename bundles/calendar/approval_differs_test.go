package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles"
)

// Texts that look the same must be shown differently. Each field of an event gets an
// invisible character.
func TestApprovalShowsEveryDifference(t *testing.T) {
	spellings := []string{"4711", "47\uFE0F11", "47\u180B11", "47\u280011", "47\u200B11", "47\U000E004111", "47 11", "47  11", "47\u00A011", "47\t11", "47\u200311", "4711 ", "47\n11"}
	for field, set := range map[string]func(text string) args{
		"title":       func(text string) args { return args{"summary": text} },
		"location":    func(text string) args { return args{"location": text} },
		"description": func(text string) args { return args{"description": text} },
		"file": func(text string) args {
			return args{"attachments": []args{{"title": text, "fileUrl": "https://drive.example/list"}}}
		},
		"address of a file": func(text string) args {
			return args{"attachments": []args{{"title": "List", "fileUrl": "https://drive.example/" + text}}}
		},
		"name of a guest": func(text string) args {
			return args{"attendees": []args{{"email": bob, "displayName": text}}}
		},
		"code of a call": func(text string) args {
			return args{"conferenceData": args{"entryPoints": []args{{"entryPointType": "video", "uri": "https://zoom.example/1", "pin": text}}}}
		},
		"notes of a call": func(text string) args {
			return args{"conferenceData": args{"notes": text, "entryPoints": []args{{"entryPointType": "video", "uri": "https://zoom.example/1"}}}}
		},
		"property for other programs": func(text string) args {
			return args{"extendedProperties": args{"shared": args{"code": text}}}
		},
		"name of a property": func(text string) args {
			return args{"extendedProperties": args{"shared": args{text: "1"}}}
		},
		"property of another program": func(text string) args {
			return args{"extendedProperties": args{"private": args{"code": text, "kota": "x"}}}
		},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			d := newFixture(t)
			d.google.User(bob)
			seen := map[string]string{}
			for i, text := range spellings {
				id := "lunch" + string(rune('a'+i))
				d.ann.AddEvent("primary", merge(timedEvent(id, "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), set(text)))
				shown := bundles.Visible(approvalText(approvalRequest(t, d, "calendar_update_event", args{"event_id": id, "add_attendees": "eve@evil.example"})))
				if !strings.Contains(shown, "47") {
					t.Errorf("of %+q is shown\n%s", text, shown)
				}
				if other, again := seen[shown]; again {
					t.Errorf("%+q and %+q are both shown as\n%s", other, text, shown)
				}
				seen[shown] = text
			}
		})
	}
}

// The approval does not show KOTA's own marks in an event.
func TestApprovalHidesKOTAsOwnMarks(t *testing.T) {
	d := newFixture(t)
	d.google.User(bob)
	d.ann.AddEvent("primary", merge(timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"), args{"extendedProperties": args{"private": args{"kota": "x", "kotaWords": "mixed"}}}))
	if shown := approvalText(approvalRequest(t, d, "calendar_update_event", args{"event_id": "lunch", "add_attendees": bob})); strings.Contains(shown, "kota") {
		t.Errorf("shown is\n%s", shown)
	}
}
