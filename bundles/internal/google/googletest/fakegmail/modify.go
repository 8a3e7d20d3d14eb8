package fakegmail

import "kota/bundles/internal/google/googletest/fakeapi"

// labelChange is the body of modify and batchModify.
type labelChange struct {
	IDs    []string `json:"ids"`
	Add    []string `json:"addLabelIds"`
	Remove []string `json:"removeLabelIds"`
}

// readChange reads which labels to add and to remove.
func readChange(c *fakeapi.Call) (labelChange, error) {
	var change labelChange
	if err := c.Decode(&change); err != nil {
		return change, err
	}
	if len(change.Add) == 0 && len(change.Remove) == 0 {
		return change, fakeapi.Invalid("No label add or removes specified")
	}
	return change, mailOf(c.Account).checkLabels(change.Add, change.Remove)
}

// maxBatchIDs is the maximum number of messages in batchModify.
const maxBatchIDs = 1000

func modifyMessage(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	msg, err := m.find(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	change, err := readChange(c)
	if err != nil {
		return nil, err
	}
	m.relabel(msg, change.Add, change.Remove)
	return msg.summary(), nil
}

// summary returns what methods answer about a message that they changed.
func (msg *message) summary() fakeapi.Object {
	stub := fakeapi.Object{"id": msg.id, "threadId": msg.thread}
	if len(msg.labels) > 0 {
		stub["labelIds"] = msg.labels
	}
	return stub
}

// trashMessage serves trash and untrash.
func trashMessage(c *fakeapi.Call) (any, error) {
	msg, err := mailOf(c.Account).find(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	mailOf(c.Account).trash(msg, c.Method.ID == "gmail.users.messages.trash")
	return msg.summary(), nil
}

// trash moves a message from the inbox and spam into the trash. If into is
// false, it takes the message out of the trash.
func (m *mailbox) trash(msg *message, into bool) {
	if into {
		m.relabel(msg, []string{"TRASH"}, []string{"INBOX", "SPAM"})
		return
	}
	m.relabel(msg, nil, []string{"TRASH"})
}

func deleteMessage(c *fakeapi.Call) (any, error) {
	msg, err := mailOf(c.Account).find(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	mailOf(c.Account).remove(msg)
	return nil, nil
}

// batchModify changes the messages with those ids that still exist.
func batchModify(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	change, err := readChange(c)
	if err != nil {
		return nil, err
	}
	if err := checkIDs(change.IDs); err != nil {
		return nil, err
	}
	for _, id := range change.IDs {
		if msg := m.messages[id]; msg != nil {
			m.relabel(msg, change.Add, change.Remove)
		}
	}
	return nil, nil
}

func checkIDs(ids []string) error {
	if len(ids) == 0 {
		return fakeapi.Invalid("No message ids specified")
	}
	if len(ids) > maxBatchIDs {
		return fakeapi.Invalid("Too many message ids specified: the limit is %d", maxBatchIDs)
	}
	for _, id := range ids {
		if !hexID.MatchString(id) {
			return fakeapi.Invalid("Invalid ids value")
		}
	}
	return nil
}
