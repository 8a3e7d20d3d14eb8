package unsubscribe

import (
	"context"
	"fmt"
	"net/mail"
	"net/url"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/drafts"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// An Answer is the result of gmail_unsubscribe.
type Answer struct {
	Method  string `json:"method" enum:"one_click,draft,link,none"` // what a call with confirm does; with link, the user must open the page
	Done    bool   `json:"done"`                                    // one_click: the list's server accepted the request; draft: the draft is saved
	Sender  string `json:"sender"`
	Host    string `json:"host,omitempty"` // the server that gets the one_click request, or the host of the link
	Link    string `json:"link,omitempty"`
	To      string `json:"to,omitempty"` // the recipient of the unsubscribe mail
	Subject string `json:"subject,omitempty"`
	Body    string `json:"body,omitempty"`
	DraftID string `json:"draft_id,omitempty"`
	UndoID  string `json:"undo_id,omitempty"` // for gmail_undo, which deletes the draft
	Note    string `json:"note,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // the provenance of sender, subject, body and link
}

// These are the ways to leave a list, the most reliable first.
const (
	methodOneClick = "one_click"
	methodDraft    = "draft"
	methodLink     = "link"
	methodNone     = "none"
)

// Unsubscribe returns how the user can leave the list of a message. If confirm is true, it
// also sends the one-click request, or saves a draft of the unsubscribe mail, if the message
// offers either. With draftOnly it saves a draft at most, and sends nothing.
func (u *Unsubscriber) Unsubscribe(ctx context.Context, id string, confirm, draftOnly bool) (Answer, error) {
	message, err := u.API.Users.Messages.Get(mailbox.Me, id).Format("metadata").Fields("labelIds", "payload/headers").Context(ctx).Do()
	if err != nil {
		return Answer{}, fmt.Errorf("read message: %w", err)
	}
	offer := offerOf(message)
	out := offer.preview(ctx)
	out.Provenance = present.Provenance(ctx, message.LabelIds, "", true)
	switch {
	case !confirm || out.Method == methodNone:
		return out, nil
	case out.Method == methodLink:
		out.Note = "nothing was done (" + out.Note + "): the user has to open " + out.Link
		return out, nil
	case draftOnly && offer.mail == nil:
		return Answer{}, metadata.Errorf(metadata.ApprovalNeeded, "unsubscribing sends a request to %s, and bundles.yaml allows only the user to send: nothing was done", out.Host).
			WithHint("The user can unsubscribe in Gmail or at %s, or set `send: ask` in bundles.yaml to approve each request.", out.Link)
	case draftOnly || out.Method == methodDraft:
		return u.draftUnsubscription(ctx, id, out, offer)
	}
	repeated, err := u.requestOnce(ctx, offer)
	if repeated {
		out.Note = "an earlier call already did this"
	}
	out.Done = err == nil
	return out, err
}

// draftUnsubscription saves a draft of the unsubscribe mail, from the subscribed address.
// While the draft exists, the same call returns it again.
func (u *Unsubscriber) draftUnsubscription(ctx context.Context, id string, out Answer, offer offer) (Answer, error) {
	own, err := u.Identities(ctx)
	if err != nil {
		return Answer{}, err
	}
	if subscribed, ok := own.FindFirst(offer.to); ok {
		offer.mail.From = subscribed.Address
	}
	raw, err := offer.mail.Bytes(nil)
	if err != nil {
		return Answer{}, fmt.Errorf("write mail: %w", err)
	}
	saved, err := u.draftOnce(ctx, "unsubscribe\n"+id, outgoing.Mail{Kind: "send", Raw: raw, AsDraft: true, Envelope: outgoing.NewEnvelope(offer.mail)})
	if err != nil {
		return Answer{}, err
	}
	out.Method, out.Done, out.DraftID = methodDraft, true, saved.DraftID
	out.Note = "the user must send the draft to leave the list"
	if saved.Repeated {
		out.Note = "an earlier call saved the draft; " + out.Note
		return out, nil
	}
	out.UndoID = drafts.RecordSaved(ctx, u.Sender.Mailbox, saved.DraftID, offer.mail.Subject, raw)
	return out, nil
}

// draftOnce saves a draft. If an earlier call with that key saved a draft that still
// exists, it returns that draft instead.
func (u *Unsubscriber) draftOnce(ctx context.Context, key string, out outgoing.Mail) (outgoing.Delivery, error) {
	for {
		out.Key, out.RepeatKey = key, []byte(key)
		saved, err := u.Deliver(ctx, out)
		if err != nil || !saved.Repeated {
			return saved, err
		}
		_, err = u.API.Users.Drafts.Get(mailbox.Me, saved.DraftID).Format("minimal").Fields("id").Context(ctx).Do()
		if metadata.CodeOf(err) != metadata.NotFound {
			return saved, err
		}
		key += "\n" + saved.DraftID
	}
}

// An offer holds the ways to leave the list that a message offers.
type offer struct {
	sender string
	to     []*mail.Address  // the recipients of the message
	link   *url.URL         // the https or http address in the offer; nil if there is none
	mail   *mailmsg.Message // the unsubscribe mail in the offer; nil if there is none
	signer string           // the domain whose valid signature covers the one-click offer, or ""
	reason string           // why one-click is not possible; "" if it is
	isSpam bool
}

func offerOf(message *gmailapi.Message) offer {
	h := headersOf(message.Payload)
	o := offer{sender: mailbody.Line(first(h["from"]), mailbody.MaxName), isSpam: slices.Contains(message.LabelIds, mailbox.Spam)}
	for _, name := range []string{"to", "delivered-to"} {
		to, _ := mailmsg.ParseAddressList(first(h[name]))
		o.to = append(o.to, to...)
	}
	for _, uri := range parseListUnsubscribe(first(h["list-unsubscribe"])) {
		if mail := parseMailto(uri); mail != nil && o.mail == nil {
			o.mail = mail
		}
		if link := parseLink(uri); link != nil && (o.link == nil || o.link.Scheme == "http") {
			o.link = link
		}
	}
	o.signer, o.reason = oneClickSigner(h)
	if o.signer != "" && (o.link == nil || o.link.Scheme != "https") {
		o.signer, o.reason = "", "there is no https address"
	}
	return o
}

// preview returns what a call with confirm would do.
func (o offer) preview(ctx context.Context) Answer {
	out := Answer{Method: methodNone, Sender: o.sender}
	if o.link != nil {
		out.Method, out.Host, out.Link = methodLink, o.link.Hostname(), o.link.String()
	}
	if o.mail != nil {
		body, _ := htmltext.Text(o.mail.Text)
		out.Method, out.To, out.Subject, out.Body = methodDraft, o.mail.To[0].Address, mailbody.Line(o.mail.Subject, mailbody.MaxSubject), body
	}
	switch {
	case o.link == nil && o.mail == nil:
		out.Note = bundles.WithoutHiddenTools(ctx, "the message does not say how to unsubscribe. gmail_manage_filter can keep such mail away")
	case o.isSpam:
		out.Method, out.Note = methodNone, "the message is in spam: unsubscribing would show its sender that the address is read"
	case o.signer != "":
		out.Method, out.Note = methodOneClick, "one POST to "+out.Host+"; the one-click offer is signed by "+o.signer
	case o.link != nil:
		out.Note = "one-click is not possible: " + o.reason
	}
	return out
}

// approval returns the one-click request in the form that its approver sees. The request
// reaches only the mailing list's server. The user can allow that server's domain as a
// recipient.
func (o offer) approval() bundles.Outgoing {
	return bundles.Outgoing{What: "unsubscription", People: []string{o.link.Hostname()}, Lines: []bundles.Line{
		{Name: "Mailing list", Text: o.sender}, {Name: "Request to", Text: o.link.String()}, {Name: "Text", Text: oneClickText},
	}}
}

// headersOf returns the values of the header fields by lower-case name.
func headersOf(payload *gmailapi.MessagePart) map[string][]string {
	values := map[string][]string{}
	if payload == nil {
		return values
	}
	for _, h := range payload.Headers {
		name := asciiLower(h.Name)
		values[name] = append(values[name], h.Value)
	}
	return values
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
