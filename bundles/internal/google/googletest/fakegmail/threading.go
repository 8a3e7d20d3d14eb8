package fakegmail

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"regexp"
	"slices"
	"strings"
)

// threadFor is the thread in which a message of the client's goes: the one it
// names, if the message is an answer in it by its References or In-Reply-To
// and by its Subject, else a new one, "" (guides/threads).
func (m *mailbox) threadFor(id string, root *entity) (string, error) {
	if id == "" {
		return "", nil
	}
	if !hexID.MatchString(id) {
		return "", fakeapi.Invalid("Invalid thread_id value")
	}
	in := m.inThread(id)
	if len(in) == 0 {
		return "", fakeapi.NotFound()
	}
	if slices.ContainsFunc(in, func(msg *message) bool { return answers(root, msg.root) }) {
		return id, nil
	}
	return "", nil
}

// threadOf is the thread of the message in the mailbox that the message answers.
func (m *mailbox) threadOf(root *entity) string {
	for _, id := range references(root) {
		for _, msg := range m.byMessageID[id] {
			if answers(root, msg.root) {
				return msg.thread
			}
		}
	}
	return ""
}

// references are the ids of the messages that the message refers to.
func references(root *entity) []string {
	return strings.Fields(root.get("References") + " " + root.get("In-Reply-To"))
}

func messageID(root *entity) string { return strings.TrimSpace(root.get("Message-ID")) }

// answers reports whether a message refers to the other and has its subject.
func answers(root, to *entity) bool {
	id := messageID(to)
	return id != "" && slices.Contains(references(root), id) &&
		baseSubject(root.get("Subject")) == baseSubject(to.get("Subject"))
}

var replyPrefix = regexp.MustCompile(`(?i)^\s*((re|fwd?|aw|sv|wg|antw)(\[\d+\])?:\s*)+`)

// baseSubject is the subject without what answering puts before it.
func baseSubject(subject string) string {
	return strings.ToLower(strings.TrimSpace(replyPrefix.ReplaceAllString(subject, "")))
}
