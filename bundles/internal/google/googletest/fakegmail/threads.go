package fakegmail

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"strconv"
)

// A conversation is a thread: its id and its messages, oldest first.
type conversation struct {
	id       string
	messages []*message
}

// historyID is that of the thread's last change.
func (c conversation) historyID() string {
	last := uint64(0)
	for _, msg := range c.messages {
		last = max(last, msg.history)
	}
	return strconv.FormatUint(last, 10)
}

func (m *mailbox) findThread(id string) (conversation, error) {
	if !hexID.MatchString(id) {
		return conversation{}, fakeapi.Invalid("Invalid id value")
	}
	messages := m.inThread(id)
	if len(messages) == 0 {
		return conversation{}, fakeapi.NotFound()
	}
	return conversation{id, messages}, nil
}

func getThread(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	t, err := m.findThread(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := askedFormat(c)
	if err != nil {
		return nil, err
	}
	views := make([]fakeapi.Object, len(t.messages))
	for i, msg := range t.messages {
		views[i] = m.view(msg, format, c.Query["metadataHeaders"])
	}
	return fakeapi.Object{"id": t.id, "historyId": t.historyID(), "messages": views}, nil
}
