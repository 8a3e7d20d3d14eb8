package googletest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func getProfile(c *call) (any, error) {
	m := mailOf(c.user)
	threads := map[string]bool{}
	for _, msg := range m.messages {
		threads[msg.thread] = true
	}
	return object{
		"emailAddress":  m.address,
		"messagesTotal": len(m.messages),
		"threadsTotal":  len(threads),
		"historyId":     strconv.FormatUint(m.historyID, 10),
	}, nil
}

// askedMessages are the messages that a list's parameters ask for, newest first.
func askedMessages(c *call) ([]*message, error) {
	m := mailOf(c.user)
	if onlyMetadata(c) && c.query.Has("q") {
		return nil, forbidden("Metadata scope does not support 'q' parameter")
	}
	search, err := parseQuery(c.query.Get("q"))
	if err != nil {
		return nil, invalid("Invalid query: %v", err)
	}
	for _, id := range c.query["labelIds"] {
		if m.label(id) == nil {
			return nil, invalid("Invalid label: %s", id)
		}
	}
	everywhere := c.query.Get("includeSpamTrash") == "true"
	for _, id := range c.query["labelIds"] {
		everywhere = everywhere || id == "SPAM" || id == "TRASH"
	}
	return m.newest(func(msg *message) bool {
		for _, id := range c.query["labelIds"] {
			if !msg.has(id) {
				return false
			}
		}
		return m.matches(msg, search, everywhere)
	}), nil
}

// sortKey orders messages newest first, for page tokens.
func (msg *message) sortKey() string {
	return fmt.Sprintf("%020d/%s", int64(1)<<60-msg.date.UnixMilli(), invert(msg.id))
}

// invert turns the order of ids around.
func invert(id string) string {
	n, _ := strconv.ParseUint(id, 16, 64) // the fake's own ids
	return fmt.Sprintf("%020d", ^n)
}

func listMessages(c *call) (any, error) {
	all, err := askedMessages(c)
	if err != nil {
		return nil, err
	}
	page, next, err := paginate(c, all, 100, maxPage, (*message).sortKey)
	if err != nil {
		return nil, err
	}
	answer := object{"resultSizeEstimate": estimate(len(page), next != "")}
	if len(page) > 0 {
		rows := make([]object, len(page))
		for i, msg := range page {
			rows[i] = object{"id": msg.id, "threadId": msg.thread}
		}
		answer["messages"] = rows
	}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

// onlyMetadata reports whether gmail.metadata is the scope that lets the call in.
func onlyMetadata(c *call) bool {
	const metadata = "https://www.googleapis.com/auth/gmail.metadata"
	return !slices.ContainsFunc(c.method.Scopes, func(scope string) bool {
		return scope != metadata && slices.Contains(c.scopes, scope)
	})
}

func getMessage(c *call) (any, error) {
	msg, err := mailOf(c.user).find(c.vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := askedFormat(c)
	if err != nil {
		return nil, err
	}
	return mailOf(c.user).view(msg, format, c.query["metadataHeaders"]), nil
}

// askedFormat is how much of a message is asked for, and allowed.
func askedFormat(c *call) (string, error) {
	format := c.query.Get("format")
	if format == "" {
		format = "full"
	}
	if onlyMetadata(c) && (format == "full" || format == "raw") {
		return "", forbidden("Metadata scope doesn't allow format %s", strings.ToUpper(format))
	}
	return format, nil
}

// view is the message in a format of messages.get.
func (m *mailbox) view(msg *message, format string, headers []string) object {
	view := object{
		"id":           msg.id,
		"threadId":     msg.thread,
		"snippet":      msg.snippet,
		"sizeEstimate": len(msg.raw),
		"historyId":    strconv.FormatUint(msg.history, 10),
		"internalDate": strconv.FormatInt(msg.date.UnixMilli(), 10),
	}
	if len(msg.labels) > 0 {
		view["labelIds"] = msg.labels
	}
	switch format {
	case "full":
		view["payload"] = m.part(msg, msg.root)
	case "metadata":
		payload := object{"mimeType": msg.root.kind}
		if fields := headersNamed(msg.root, headers); len(fields) > 0 {
			payload["headers"] = fields
		}
		view["payload"] = payload
	case "raw":
		view["raw"] = encodeBase64(msg.raw)
	}
	return view
}

// headersNamed are the fields of those names; all, when none is named.
func headersNamed(e *entity, names []string) []object {
	var all []object
	for _, f := range e.fields {
		wanted := len(names) == 0
		for _, name := range names {
			wanted = wanted || strings.EqualFold(f.name, name)
		}
		if wanted {
			all = append(all, object{"name": f.name, "value": f.value})
		}
	}
	return all
}

// part is one MessagePart.
func (m *mailbox) part(msg *message, e *entity) object {
	body := object{"size": len(e.data)}
	switch {
	case e.isAttachment() && len(e.data) > mailServerOf(m.server).inline, len(e.data) > mailServerOf(m.server).bodies:
		body["attachmentId"] = m.attach(msg, e)
	case len(e.data) > 0:
		body["data"] = encodeBase64(e.data)
	}
	part := object{"partId": e.id, "mimeType": e.kind, "filename": e.filename, "body": body}
	if fields := headersNamed(e, nil); len(fields) > 0 {
		part["headers"] = fields
	}
	if len(e.parts) > 0 {
		parts := make([]object, len(e.parts))
		for i, child := range e.parts {
			parts[i] = m.part(msg, child)
		}
		part["parts"] = parts
	}
	return part
}

// attach gives out a token for a part's content: another one each time.
func (m *mailbox) attach(msg *message, e *entity) string {
	token := newSecret("ANGjdJ")
	m.attached[token] = attachment{msg.id, e.data}
	return token
}

func getAttachment(c *call) (any, error) {
	m := mailOf(c.user)
	if _, err := m.find(c.vars["messageId"]); err != nil {
		return nil, err
	}
	found, ok := m.attached[c.vars["id"]]
	if !ok || found.message != c.vars["messageId"] {
		return nil, invalid("Invalid attachment token")
	}
	return object{"size": len(found.data), "data": encodeBase64(found.data)}, nil
}
