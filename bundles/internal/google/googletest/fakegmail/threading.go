package fakegmail

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// threadFor returns the thread of a message that a client sends or drafts; id
// is the thread that the client asks for. It returns id if the message replies
// to a message of that thread (see isReplyTo). Otherwise it returns "", which
// means a new thread (guides/threads). It returns an error if id is malformed or
// there is no such thread.
func (m *mailbox) threadFor(id string, root *entity) (string, error) {
	if id == "" {
		return "", nil
	}
	if !hexID.MatchString(id) {
		return "", fakeapi.Invalid("Invalid thread_id value")
	}
	messages := m.inThread(id)
	if len(messages) == 0 {
		return "", fakeapi.NotFound()
	}
	if slices.ContainsFunc(messages, func(msg *message) bool { return isReplyTo(root, msg.root) }) {
		return id, nil
	}
	return "", nil
}

// threadOf returns the thread of a received message: the thread of the first
// message to which it replies. It returns "" if the mailbox has no such message.
func (m *mailbox) threadOf(root *entity) string {
	for _, id := range references(root) {
		for _, msg := range m.byMessageID[id] {
			if isReplyTo(root, msg.root) {
				return msg.thread
			}
		}
	}
	return ""
}

// references returns the ids of the messages that the message refers to.
func references(root *entity) []string {
	return strings.Fields(root.get("References") + " " + root.get("In-Reply-To"))
}

func messageID(root *entity) string { return strings.TrimSpace(root.get("Message-ID")) }

// isReplyTo reports whether a message has the Message-ID of parent in References
// or In-Reply-To, and has the same baseSubject.
func isReplyTo(root, parent *entity) bool {
	id := messageID(parent)
	return id != "" && slices.Contains(references(root), id) &&
		baseSubject(root.get("Subject")) == baseSubject(parent.get("Subject"))
}

var replyPrefix = regexp.MustCompile(`(?i)^\s*((re|fwd?|aw|sv|wg|antw)(\[\d+\])?:\s*)+`)

// baseSubject returns the subject in lower case, without reply and forward
// prefixes.
func baseSubject(subject string) string {
	return strings.ToLower(strings.TrimSpace(replyPrefix.ReplaceAllString(subject, "")))
}

// conversation is a thread: its id and its messages, oldest first.
type conversation struct {
	id       string
	messages []*message
}

// historyID returns the id of the thread's last change.
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
	format, err := requestedFormat(c)
	if err != nil {
		return nil, err
	}
	views := make([]fakeapi.Object, len(t.messages))
	for i, msg := range t.messages {
		views[i] = m.view(msg, format, c.Query["metadataHeaders"])
	}
	return fakeapi.Object{"id": t.id, "historyId": t.historyID(), "messages": views}, nil
}
