package followups

import (
	"cmp"
	"time"

	"kota/bundles/gmail/internal/present"
	"kota/bundles/gmail/internal/search"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
)

// FindIn are the arguments of gmail_find_followups.
type FindIn struct {
	Direction string `json:"direction" enum:"they_owe_me,i_owe_them" doc:"who has to answer"`
	OlderThan string `json:"older_than,omitempty" doc:"default 3d; i_owe_them: 0d"`
	Within    string `json:"within,omitempty" default:"30d"`
	Limit     int    `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Account   string `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

// A Followup is a message that waits for an answer. For they_owe_me it is the last message
// of the user that a recipient has not answered. For i_owe_them it is the last message of
// its conversation.
type Followup struct {
	Days        int      `json:"days"`                   // days since the message was sent or received
	Answered    []string `json:"answered,omitempty"`     // they_owe_me: the recipients who answered
	NotAnswered []string `json:"not_answered,omitempty"` // they_owe_me: the recipients who did not
	present.Row
}

// A Statement is the last message of a conversation, if it asks nothing.
type Statement struct {
	ID      string `json:"id"`
	From    string `json:"from"`
	Subject string `json:"subject"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// A Span is the period in which a waiting message was sent or received.
type Span struct{ After, Before time.Time }

// SpanOf returns the period that the arguments describe, or a VALIDATION_ERROR.
func SpanOf(in FindIn, now time.Time) (Span, error) {
	span := Span{}
	if in.OlderThan == "" && in.Direction == "they_owe_me" {
		in.OlderThan = "3d"
	}
	in.OlderThan = cmp.Or(in.OlderThan, "0d")
	var wrong arguments.Problems
	for _, t := range []struct {
		path, value string
		target      *time.Time
	}{{"older_than", in.OlderThan, &span.Before}, {"within", in.Within, &span.After}} {
		at, ok := search.ParseWhen(t.value, now)
		if !ok {
			wrong.Add(t.path, "a time span such as 3d, 2w or 1m", t.value)
		}
		*t.target = at
	}
	if wrong == nil && !span.After.Before(span.Before) {
		wrong.Add("within", "a time span longer than older_than", in.Within)
	}
	return span, wrong.Err()
}
