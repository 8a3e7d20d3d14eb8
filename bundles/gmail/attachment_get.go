package gmail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"kota/bundles"
	"kota/bundles/gmail/internal/attachment"
	"kota/bundles/gmail/internal/mailbody"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/present"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type getAttachmentIn struct {
	MessageID  string `json:"message_id" audit:"show"`
	Attachment string `json:"attachment,omitempty" alias:"part,name" doc:"part, file name or #1; default: the only one"`
	As         string `json:"as,omitempty" enum:"file,text" default:"file"`
	Account    string `json:"account,omitempty" doc:"name or address; \"*\": all" audit:"show"`
}

// Effect returns Reads for reading an attachment as text, and Writes for saving it as a
// file.
func (in getAttachmentIn) Effect() metadata.Effect {
	if in.As == "text" {
		return metadata.Reads
	}
	return metadata.Writes
}

type getAttachmentOut struct {
	Name   string `json:"name"` // the file's name in the message
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Path   string `json:"path,omitempty"` // the path of the saved file
	Text   string `json:"text,omitempty"`
	Total  int    `json:"total_chars,omitempty"` // the length of the whole text, if Text is cut

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func (g *gmail) getAttachmentAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get_attachment", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeRead},
		Summary:     "Save an attachment to disk, or read its text.",
		Description: "gmail_get_message lists them.",
		Tags:        []string{"file", "download"},
		Aliases: metadata.Aliases{
			"download read fetch open save: attachment attachments",
			"list get: attachments",
		},
		Examples: []metadata.Example{
			{Title: "Save by file name", Args: getAttachmentIn{MessageID: exampleID, Attachment: "report.csv"}},
			{Title: "Read a text", Args: getAttachmentIn{MessageID: exampleID, Attachment: "#1", As: "text"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"Files go to the folder attachments: {into: FOLDER} of bundles.yaml, under a safe name, and never replace a file.",
			"Cannot be undone: KOTA deletes no files.",
			"text is for plain text, CSV, JSON, XML and calendar files, up to 20,000 characters.",
		},
	}, g.getAttachment)
}

func (g *gmail) getAttachment(ctx context.Context, in getAttachmentIn) (getAttachmentOut, error) {
	if err := mailbox.CheckID("message_id", in.MessageID); err != nil {
		return getAttachmentOut{}, err
	}
	save := (*attachment.Folder)(nil)
	if in.As == "file" {
		into, err := attachment.OpenFolder(g.Files())
		if err != nil {
			return getAttachmentOut{}, err
		}
		defer into.Close()
		save = into
	}
	// A large file needs the time limit of the whole call, so the function uses the
	// outer ctx and not the shorter one of InAnyAccount.
	return google.InAnyAccount(ctx, g.Accounts, in.Account, g.Open, func(_ context.Context, m *mailbox.Mailbox) (getAttachmentOut, error) {
		message, file, content, err := attachment.Fetch(ctx, m, in.MessageID, in.Attachment)
		provenance := (*untrusted.Provenance)(nil)
		if message != nil { // also if there is an error, which may name the message's files
			provenance = present.Provenance(ctx, message.LabelIds, mailbody.Sender(message), true) // anybody may have written the file
		}
		if err != nil {
			return getAttachmentOut{}, err
		}
		sum := sha256.Sum256(content)
		out := getAttachmentOut{Name: file.Name, Type: file.Type, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Provenance: provenance}
		if save != nil {
			out.Path, err = save.Save(file, content)
			return out, err
		}
		out.Text, out.Total, err = attachment.Text(file, content)
		if out.Provenance != nil {
			out.Text = untrusted.New(g.Fence).Wrap(out.Text)
		}
		return out, err
	})
}
