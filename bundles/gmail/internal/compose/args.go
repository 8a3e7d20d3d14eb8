package compose

import "kota/metadata"

// A Args is what every action takes that writes a mail.
type Args struct {
	Body        string   `json:"body,omitempty" doc:"Markdown"`
	HTML        string   `json:"html,omitempty" doc:"else made from body"`
	Attachments []string `json:"attachments,omitempty" doc:"file paths, or \"mail:MESSAGE_ID/PART\""`
	From        string   `json:"from,omitempty" doc:"one of the user's addresses" audit:"show"`
	AsDraft     bool     `json:"as_draft,omitempty"`
	Key         string   `json:"idempotency_key,omitempty" doc:"any text naming this mail: \"lunch-1\""`
	Account     string   `json:"account,omitempty" doc:"name or address" audit:"show"`

	gated bool // the draft is not the caller's wish
}

// Effect says what this call does: a draft reaches nobody.
func (in Args) Effect() metadata.Effect {
	if in.AsDraft {
		return metadata.Writes
	}
	return metadata.Sends
}

func (in Args) Gated() Args { in.AsDraft, in.gated = true, true; return in }
