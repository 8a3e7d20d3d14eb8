package googletest

// labelChange is the body of modify and batchModify.
type labelChange struct {
	IDs    []string `json:"ids"`
	Add    []string `json:"addLabelIds"`
	Remove []string `json:"removeLabelIds"`
}

// readChange reads which labels to add and to remove.
func readChange(c *call) (labelChange, error) {
	var change labelChange
	if err := c.decode(&change); err != nil {
		return change, err
	}
	if len(change.Add) == 0 && len(change.Remove) == 0 {
		return change, invalid("No label add or removes specified")
	}
	return change, mailOf(c.user).checkLabels(change.Add, change.Remove)
}

// maxBatchIDs is how many messages batchModify and batchDelete take.
const maxBatchIDs = 1000

func modifyMessage(c *call) (any, error) {
	m := mailOf(c.user)
	msg, err := m.find(c.vars["id"])
	if err != nil {
		return nil, err
	}
	change, err := readChange(c)
	if err != nil {
		return nil, err
	}
	m.relabel(msg, change.Add, change.Remove)
	return msg.stub(), nil
}

// stub is what methods answer of a message that they changed.
func (msg *message) stub() object {
	stub := object{"id": msg.id, "threadId": msg.thread}
	if len(msg.labels) > 0 {
		stub["labelIds"] = msg.labels
	}
	return stub
}

// trashMessage is trash and untrash.
func trashMessage(c *call) (any, error) {
	msg, err := mailOf(c.user).find(c.vars["id"])
	if err != nil {
		return nil, err
	}
	mailOf(c.user).trash(msg, c.method.ID == "gmail.users.messages.trash")
	return msg.stub(), nil
}

// trash puts a message into the trash, which takes it out of the inbox and of
// spam, or takes it out again.
func (m *mailbox) trash(msg *message, in bool) {
	if in {
		m.relabel(msg, []string{"TRASH"}, []string{"INBOX", "SPAM"})
		return
	}
	m.relabel(msg, nil, []string{"TRASH"})
}

func deleteMessage(c *call) (any, error) {
	msg, err := mailOf(c.user).find(c.vars["id"])
	if err != nil {
		return nil, err
	}
	mailOf(c.user).remove(msg)
	return nil, nil
}

// batchModify changes every message there is among the ids, and takes no notice
// of those that are gone.
func batchModify(c *call) (any, error) {
	m := mailOf(c.user)
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
		return invalid("No message ids specified")
	}
	if len(ids) > maxBatchIDs {
		return invalid("Too many message ids specified: the limit is %d", maxBatchIDs)
	}
	for _, id := range ids {
		if !hexID.MatchString(id) {
			return invalid("Invalid ids value")
		}
	}
	return nil
}

func batchDelete(c *call) (any, error) {
	m := mailOf(c.user)
	var change labelChange
	if err := c.decode(&change); err != nil {
		return nil, err
	}
	if err := checkIDs(change.IDs); err != nil {
		return nil, err
	}
	for _, id := range change.IDs {
		if msg := m.messages[id]; msg != nil {
			m.remove(msg)
		}
	}
	return nil, nil
}
