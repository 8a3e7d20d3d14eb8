package fakegmail

import (
	"fmt"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// draftIn is the body of drafts.create, update and send.
type draftIn struct {
	ID      string    `json:"id"`
	Message messageIn `json:"message"`
}

// newDraft puts an unsent message into the mailbox.
func (m *mailbox) newDraft(in messageIn) (*message, error) {
	raw := m.outgoing(in.raw)
	root := parse(raw)
	thread, err := m.threadFor(in.ThreadID, root)
	if err != nil {
		return nil, err
	}
	return m.add(raw, root, thread, m.server.Now(), "DRAFT"), nil
}

func createDraft(c *fakeapi.Call) (any, error) {
	in, err := readDraft(c)
	if err != nil {
		return nil, err
	}
	m := mailOf(c.Account)
	msg, err := m.newDraft(in.Message)
	if err != nil {
		return nil, err
	}
	m.server.LastID++
	d := &draft{id: fmt.Sprintf("r-%d", 4_611_686_018_427_000_000+m.server.LastID*7919), message: msg}
	m.drafts[d.id] = d
	return fakeapi.Object{"id": d.id, "message": msg.summary()}, nil
}

// readDraft reads the body. The message comes from the media, if present.
func readDraft(c *fakeapi.Call) (draftIn, error) {
	var in draftIn
	if err := c.Decode(&in); err != nil {
		return in, err
	}
	if c.Method.ID == "gmail.users.drafts.send" && in.Message.Raw == "" && len(c.Media) == 0 {
		return in, nil // the draft is sent unchanged
	}
	return in, in.Message.decodeRaw(c)
}

func (m *mailbox) findDraft(id string) (*draft, error) {
	d := m.drafts[id]
	if d == nil {
		return nil, fakeapi.NotFound()
	}
	return d, nil
}

// updateDraft replaces the message of a draft. The message gets a new id, and
// the draft keeps its own id.
func updateDraft(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	d, err := m.findDraft(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	in, err := readDraft(c)
	if err != nil {
		return nil, err
	}
	if err := m.replaceDraft(d, in.Message); err != nil {
		return nil, err
	}
	return fakeapi.Object{"id": d.id, "message": d.message.summary()}, nil
}

func (m *mailbox) replaceDraft(d *draft, in messageIn) error {
	msg, err := m.newDraft(in)
	if err != nil {
		return err
	}
	old := d.message
	d.message = msg
	m.remove(old)
	return nil
}

func getDraft(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	d, err := m.findDraft(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := requestedFormat(c)
	if err != nil {
		return nil, err
	}
	return fakeapi.Object{"id": d.id, "message": m.view(d.message, format, nil)}, nil
}

func listDrafts(c *fakeapi.Call) (any, error) {
	found, err := requestedMessages(c)
	if err != nil {
		return nil, err
	}
	m := mailOf(c.Account)
	var rows []*draft
	for _, msg := range found {
		if d := m.draftOf(msg); d != nil {
			rows = append(rows, d)
		}
	}
	page, next, err := fakeapi.Paginate(c, rows, 100, fakeapi.MaxPage, func(d *draft) string { return d.message.sortKey() })
	if err != nil {
		return nil, err
	}
	answer := fakeapi.Object{"resultSizeEstimate": fakeapi.Estimate(len(page), next != "")}
	if len(page) > 0 {
		items := make([]fakeapi.Object, len(page))
		for i, d := range page {
			items[i] = fakeapi.Object{"id": d.id, "message": fakeapi.Object{"id": d.message.id, "threadId": d.message.thread}}
		}
		answer["drafts"] = items
	}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

func (m *mailbox) draftOf(msg *message) *draft {
	for _, d := range m.drafts {
		if d.message == msg {
			return d
		}
	}
	return nil
}

// sendDraft sends the draft and deletes it. If the request has a message, that
// message first replaces the message of the draft.
func sendDraft(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	in, err := readDraft(c)
	if err != nil {
		return nil, err
	}
	d, err := m.findDraft(in.ID)
	if err != nil {
		return nil, err
	}
	if len(in.Message.raw) > 0 {
		if err := m.replaceDraft(d, in.Message); err != nil {
			return nil, err
		}
	}
	if err := checkRecipients(d.message.root); err != nil {
		return nil, err
	}
	m.remove(d.message)
	sent, err := m.send(d.message.raw, d.message.thread)
	if err != nil {
		return nil, err
	}
	return sent.summary(), nil
}

func deleteDraft(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	d, err := m.findDraft(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	m.remove(d.message)
	return nil, nil
}

// Draft is a draft as a test sees it.
type Draft struct {
	ID      string
	Message Message
}

// Drafts returns the drafts, the newest first.
func (u MailUser) Drafts() []Draft {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	var all []Draft
	for _, d := range mailOf(u.Account).drafts {
		all = append(all, Draft{d.id, mailOf(u.Account).public(d.message)})
	}
	slices.SortFunc(all, func(a, b Draft) int {
		if order := b.Message.Date.Compare(a.Message.Date); order != 0 {
			return order
		}
		return strings.Compare(b.Message.ID, a.Message.ID)
	})
	return all
}
