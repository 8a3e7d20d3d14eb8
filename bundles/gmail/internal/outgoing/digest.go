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

// digests returns two digests of a request. Requests with the same digest ask for the
// same. Requests with the same gist would ask for the same if no mail had arrived
// meanwhile.
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

func (a request) digest() (string, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// request holds what identifies a request: a mail without the parts that differ each time
// it is composed (date, ids and boundaries).
type request struct {
	Draft    string
	SaveOnly bool
	Same     []byte
	Received string
	Thread   string
	Fields   [][]string
	Parts    []requestPart
	Unknown  []mailmsg.Field `json:",omitempty"` // only in drafts of other programs
}

type requestPart struct {
	Type, Disposition string
	Params            [2]map[string]string
	Content           [sha256.Size]byte
}

// read reads the recipients, the subject and the parts of a mail.
func (a *request) read(raw []byte) error {
	mail, err := message.Read(bytes.NewReader(raw))
	if err != nil && !message.IsUnknownCharset(err) {
		return err
	}
	for _, name := range []string{"From", "To", "Cc", "Bcc", "Reply-To", "Subject", "In-Reply-To"} {
		a.Fields = append(a.Fields, append([]string{name}, mail.Header.Values(name)...))
	}
	return mail.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil && !message.IsUnknownCharset(err) {
			return err
		}
		kind, params, _ := part.Header.ContentType() // "" if the part has none
		if part.MultipartReader() != nil {
			a.Parts = append(a.Parts, requestPart{Type: kind}) // without params: the boundary is random
			return nil
		}
		content := sha256.New()
		if _, err := io.Copy(content, part.Body); err != nil {
			return err
		}
		disposition, named, _ := part.Header.ContentDisposition()
		a.Parts = append(a.Parts, requestPart{
			Type: kind, Disposition: disposition, Params: [2]map[string]string{params, named}, Content: [sha256.Size]byte(content.Sum(nil)),
		})
		return nil
	})
}
