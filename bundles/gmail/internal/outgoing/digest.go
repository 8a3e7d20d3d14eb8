package outgoing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/emersion/go-message"

	"kota/bundles/internal/mailmsg"
)

// digests returns two digests of a request, as hex. Requests with the same digest ask for
// the same delivery. contentKey leaves out Received: requests with the same contentKey
// have the same digest unless mail arrived between them.
func (out Mail) digests() (digest, contentKey string, err error) {
	content := request{Draft: out.DraftID, SaveOnly: out.AsDraft, Same: out.RepeatKey}
	if out.DraftID == "" && out.RepeatKey == nil {
		content.Thread = out.ThreadID
		if err := content.read(out.Raw); err != nil {
			return "", "", fmt.Errorf("read the mail to be sent: %w", err)
		}
	}
	if contentKey, err = content.digest(); err != nil {
		return "", "", err
	}
	content.Received = out.Received
	digest, err = content.digest()
	return digest, contentKey, err
}

func (r request) digest() (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// A request holds what identifies a request to send: a mail without its date, ids and
// boundaries, which differ each time it is composed. Its digests are stored, so a renamed
// field makes earlier requests unrecognisable.
type request struct {
	Draft    string
	SaveOnly bool
	Same     []byte // Mail.RepeatKey
	Received string // Mail.Received
	Thread   string
	Fields   [][]string // each header field as its name and its values
	Parts    []requestPart
	Unknown  []mailmsg.Field `json:",omitempty"` // only in drafts of other programs
}

type requestPart struct {
	Type, Disposition string
	Params            [2]map[string]string // of Content-Type and Content-Disposition
	Content           [sha256.Size]byte    // the digest of the decoded content
}

// read reads the addresses, the subject, In-Reply-To and the parts of a
// mail into r.
func (r *request) read(raw []byte) error {
	mail, err := message.Read(bytes.NewReader(raw))
	if err != nil && !message.IsUnknownCharset(err) {
		return err
	}
	for _, name := range []string{"From", "To", "Cc", "Bcc", "Reply-To", "Subject", "In-Reply-To"} {
		r.Fields = append(r.Fields, append([]string{name}, mail.Header.Values(name)...))
	}
	return mail.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil && !message.IsUnknownCharset(err) {
			return err
		}
		kind, params, _ := part.Header.ContentType() // text/plain if the part has none
		if part.MultipartReader() != nil {
			r.Parts = append(r.Parts, requestPart{Type: kind}) // without params: the boundary is random
			return nil
		}
		content := sha256.New()
		if _, err := io.Copy(content, part.Body); err != nil {
			return err
		}
		disposition, dispositionParams, _ := part.Header.ContentDisposition()
		r.Parts = append(r.Parts, requestPart{
			Type: kind, Disposition: disposition, Params: [2]map[string]string{params, dispositionParams}, Content: [sha256.Size]byte(content.Sum(nil)),
		})
		return nil
	})
}
