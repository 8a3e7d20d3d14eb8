package googletest

import (
	"fmt"
	"slices"
	"strings"
)

// draftIn is the body of drafts.create, update and send.
type draftIn struct {
	ID      string    `json:"id"`
	Message messageIn `json:"message"`
}

// newDraft puts a message into the mailbox that is not sent yet.
func (m *mailbox) newDraft(in messageIn) (*message, error) {
	raw := m.outgoing(in.raw)
	root := parse(raw)
	thread, err := m.threadFor(in.ThreadID, root)
	if err != nil {
		return nil, err
	}
	return m.add(raw, root, thread, m.server.now(), "DRAFT"), nil
}

func createDraft(c *call) (any, error) {
	in, err := readDraft(c)
	if err != nil {
		return nil, err
	}
	m := mailOf(c.user)
	msg, err := m.newDraft(in.Message)
	if err != nil {
		return nil, err
	}
	m.server.ids++
	d := &draft{id: fmt.Sprintf("r-%d", 4_611_686_018_427_000_000+m.server.ids*7919), message: msg}
	m.drafts[d.id] = d
	return object{"id": d.id, "message": msg.stub()}, nil
}

// readDraft reads the body, with the message from the media when it is there.
func readDraft(c *call) (draftIn, error) {
	var in draftIn
	if err := c.decode(&in); err != nil {
		return in, err
	}
	if c.method.ID == "gmail.users.drafts.send" && in.Message.Raw == "" && len(c.media) == 0 {
		return in, nil // the draft goes out as it is
	}
	return in, in.Message.takeRaw(c)
}

func (m *mailbox) findDraft(id string) (*draft, error) {
	d := m.drafts[id]
	if d == nil {
		return nil, notFound()
	}
	return d, nil
}

// updateDraft replaces the message: it has a new id, the draft keeps its own.
func updateDraft(c *call) (any, error) {
	m := mailOf(c.user)
	d, err := m.findDraft(c.vars["id"])
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
	return object{"id": d.id, "message": d.message.stub()}, nil
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

func getDraft(c *call) (any, error) {
	m := mailOf(c.user)
	d, err := m.findDraft(c.vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := askedFormat(c)
	if err != nil {
		return nil, err
	}
	return object{"id": d.id, "message": m.view(d.message, format, nil)}, nil
}

func listDrafts(c *call) (any, error) {
	found, err := askedMessages(c)
	if err != nil {
		return nil, err
	}
	m := mailOf(c.user)
	var rows []*draft
	for _, msg := range found {
		if d := m.draftOf(msg); d != nil {
			rows = append(rows, d)
		}
	}
	page, next, err := paginate(c, rows, 100, maxPage, func(d *draft) string { return d.message.sortKey() })
	if err != nil {
		return nil, err
	}
	answer := object{"resultSizeEstimate": estimate(len(page), next != "")}
	if len(page) > 0 {
		items := make([]object, len(page))
		for i, d := range page {
			items[i] = object{"id": d.id, "message": object{"id": d.message.id, "threadId": d.message.thread}}
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

// sendDraft sends the draft, after replacing its message when the request
// brings one, and consumes it.
func sendDraft(c *call) (any, error) {
	m := mailOf(c.user)
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
	return sent.stub(), nil
}

func deleteDraft(c *call) (any, error) {
	m := mailOf(c.user)
	d, err := m.findDraft(c.vars["id"])
	if err != nil {
		return nil, err
	}
	m.remove(d.message)
	return nil, nil
}

// A Draft is a draft as a test sees it.
type Draft struct {
	ID      string
	Message Message
}

// Drafts returns the drafts, the newest first.
func (u mailUser) Drafts() []Draft {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	var all []Draft
	for _, d := range mailOf(u.account).drafts {
		all = append(all, Draft{d.id, mailOf(u.account).public(d.message)})
	}
	slices.SortFunc(all, func(a, b Draft) int {
		if order := b.Message.Date.Compare(a.Message.Date); order != 0 {
			return order
		}
		return strings.Compare(b.Message.ID, a.Message.ID)
	})
	return all
}
