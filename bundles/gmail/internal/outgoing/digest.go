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
func (out Mail) digests() (digest, gist string, err error) {
	asked := asked{Draft: out.DraftID, SaveOnly: out.AsDraft, Same: out.Same}
	if out.DraftID == "" && out.Same == nil {
		asked.Thread = out.ThreadID
		if err := asked.read(out.Raw); err != nil {
			return "", "", fmt.Errorf("read the mail to be sent: %w", err)
		}
	}
	if gist, err = asked.sum(); err != nil {
		return "", "", err
	}
	asked.Received = out.Received
	digest, err = asked.sum()
	return digest, gist, err
}

func (a asked) sum() (string, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// asked holds what identifies a request: a mail without the parts that differ each time
// it is composed (date, ids and boundaries).
type asked struct {
	Draft    string
	SaveOnly bool
	Same     []byte
	Received string
	Thread   string
	Fields   [][]string
	Parts    []askedPart
	Unknown  []mailmsg.Field `json:",omitempty"` // only in drafts of other programs
}

type askedPart struct {
	Type, Disposition string
	Params            [2]map[string]string
	Content           [sha256.Size]byte
}

// read reads the recipients, the subject and the parts of a mail.
func (a *asked) read(raw []byte) error {
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
			a.Parts = append(a.Parts, askedPart{Type: kind}) // without params: the boundary is random
			return nil
		}
		content := sha256.New()
		if _, err := io.Copy(content, part.Body); err != nil {
			return err
		}
		disposition, named, _ := part.Header.ContentDisposition()
		a.Parts = append(a.Parts, askedPart{
			Type: kind, Disposition: disposition, Params: [2]map[string]string{params, named}, Content: [sha256.Size]byte(content.Sum(nil)),
		})
		return nil
	})
}
