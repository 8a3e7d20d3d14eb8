package compose

import (
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

// Args are the arguments that the actions send, reply and forward share.
type Args struct {
	Body        string   `json:"body,omitempty" doc:"Markdown"`
	HTML        string   `json:"html,omitempty" doc:"else made from body"`
	Attachments []string `json:"attachments,omitempty" doc:"file paths, or \"mail:MESSAGE_ID/PART\""`
	From        string   `json:"from,omitempty" doc:"one of the user's addresses" audit:"show"`
	AsDraft     bool     `json:"as_draft,omitempty"`
	Key         string   `json:"idempotency_key,omitempty" doc:"any text naming this mail: \"lunch-1\""`
	Account     string   `json:"account,omitempty" doc:"name or address" audit:"show"`

	draftInstead bool // the policy, not the caller, asked for a draft
}

// Effect returns Writes for a draft, which reaches nobody, and otherwise Sends.
func (in Args) Effect() metadata.Effect {
	if in.AsDraft {
		return metadata.Writes
	}
	return metadata.Sends
}

// DraftInstead returns the arguments that save a draft, for a mail that the policy forbids
// KOTA to send.
func (in Args) DraftInstead() Args { in.AsDraft, in.draftInstead = true, true; return in }

// Recipients are the arguments that name the recipients of a mail.
type Recipients struct{ To, Cc, Bcc []string }

// NewComposition checks the arguments of a mail whose recipients the caller names, and
// reads the files to attach. checkOthers checks the arguments that only one action has.
// NewComposition sends no request to Gmail.
func NewComposition(folders attachment.Folders, kind string, to Recipients, in Args, checkOthers func(*mailbox.Problems, *Composition)) (*Composition, CheckedArgs, error) {
	var p mailbox.Problems
	c := &Composition{Kind: kind, Message: mailmsg.Message{To: p.Addresses("to", to.To), Cc: p.Addresses("cc", to.Cc), Bcc: p.Addresses("bcc", to.Bcc)}}
	checkOthers(&p, c)
	checked, err := CheckArgs(folders, &p, in)
	if err != nil {
		return nil, CheckedArgs{}, err
	}
	return c, checked, CheckRecipients(&c.Message, in.AsDraft)
}
