package fakegmail

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

func getProfile(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	threads := map[string]bool{}
	for _, msg := range m.messages {
		threads[msg.thread] = true
	}
	return fakeapi.Object{
		"emailAddress":  m.address,
		"messagesTotal": len(m.messages),
		"threadsTotal":  len(threads),
		"historyId":     strconv.FormatUint(m.historyID, 10),
	}, nil
}

// requestedMessages returns the messages that a list's parameters select, newest
// first.
func requestedMessages(c *fakeapi.Call) ([]*message, error) {
	m := mailOf(c.Account)
	if onlyMetadata(c) && c.Query.Has("q") {
		return nil, fakeapi.Forbidden("Metadata scope does not support 'q' parameter")
	}
	search, err := parseQuery(c.Query.Get("q"))
	if err != nil {
		return nil, fakeapi.Invalid("Invalid query: %v", err)
	}
	for _, id := range c.Query["labelIds"] {
		if m.label(id) == nil {
			return nil, fakeapi.Invalid("Invalid label: %s", id)
		}
	}
	everywhere := c.Query.Get("includeSpamTrash") == "true"
	for _, id := range c.Query["labelIds"] {
		everywhere = everywhere || id == "SPAM" || id == "TRASH"
	}
	return m.newest(func(msg *message) bool {
		for _, id := range c.Query["labelIds"] {
			if !msg.has(id) {
				return false
			}
		}
		return m.matches(msg, search, everywhere)
	}), nil
}

// sortKey returns a key that sorts messages newest first, for page tokens.
func (msg *message) sortKey() string {
	return fmt.Sprintf("%020d/%s", int64(1)<<60-msg.date.UnixMilli(), invert(msg.id))
}

// invert reverses the order of ids.
func invert(id string) string {
	n, _ := strconv.ParseUint(id, 16, 64) // the fake's own ids
	return fmt.Sprintf("%020d", ^n)
}

func listMessages(c *fakeapi.Call) (any, error) {
	messages, err := requestedMessages(c)
	if err != nil {
		return nil, err
	}
	page, next, err := fakeapi.Paginate(c, messages, 100, fakeapi.MaxPage, (*message).sortKey)
	if err != nil {
		return nil, err
	}
	answer := fakeapi.Object{"resultSizeEstimate": fakeapi.Estimate(len(page), next != "")}
	if len(page) > 0 {
		rows := make([]fakeapi.Object, len(page))
		for i, msg := range page {
			rows[i] = fakeapi.Object{"id": msg.id, "threadId": msg.thread}
		}
		answer["messages"] = rows
	}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

// onlyMetadata reports whether the call is permitted only by gmail.metadata.
func onlyMetadata(c *fakeapi.Call) bool {
	const metadata = "https://www.googleapis.com/auth/gmail.metadata"
	return !slices.ContainsFunc(c.Method.Scopes, func(scope string) bool {
		return scope != metadata && slices.Contains(c.Scopes, scope)
	})
}

func getMessage(c *fakeapi.Call) (any, error) {
	msg, err := mailOf(c.Account).find(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := requestedFormat(c)
	if err != nil {
		return nil, err
	}
	return mailOf(c.Account).view(msg, format, c.Query["metadataHeaders"]), nil
}

// requestedFormat returns the requested format of a message, if it is permitted.
func requestedFormat(c *fakeapi.Call) (string, error) {
	format := c.Query.Get("format")
	if format == "" {
		format = "full"
	}
	if onlyMetadata(c) && (format == "full" || format == "raw") {
		return "", fakeapi.Forbidden("Metadata scope doesn't allow format %s", strings.ToUpper(format))
	}
	return format, nil
}

// view returns the message in a format of messages.get.
func (m *mailbox) view(msg *message, format string, headers []string) fakeapi.Object {
	view := fakeapi.Object{
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
		payload := fakeapi.Object{"mimeType": msg.root.kind}
		if fields := headersNamed(msg.root, headers); len(fields) > 0 {
			payload["headers"] = fields
		}
		view["payload"] = payload
	case "raw":
		view["raw"] = fakeapi.EncodeBase64(msg.raw)
	}
	return view
}

// headersNamed returns the fields with those names, or all fields if names is
// empty.
func headersNamed(e *entity, names []string) []fakeapi.Object {
	var headers []fakeapi.Object
	for _, f := range e.fields {
		wanted := len(names) == 0
		for _, name := range names {
			wanted = wanted || strings.EqualFold(f.name, name)
		}
		if wanted {
			headers = append(headers, fakeapi.Object{"name": f.name, "value": f.value})
		}
	}
	return headers
}

// part returns one MessagePart.
func (m *mailbox) part(msg *message, e *entity) fakeapi.Object {
	body := fakeapi.Object{"size": len(e.data)}
	switch {
	case e.isAttachment() && len(e.data) > 0:
		body["attachmentId"] = m.attach(msg, e)
	case len(e.data) > 0:
		body["data"] = fakeapi.EncodeBase64(e.data)
	}
	part := fakeapi.Object{"partId": e.id, "mimeType": e.kind, "filename": e.filename, "body": body}
	if fields := headersNamed(e, nil); len(fields) > 0 {
		part["headers"] = fields
	}
	if len(e.parts) > 0 {
		parts := make([]fakeapi.Object, len(e.parts))
		for i, child := range e.parts {
			parts[i] = m.part(msg, child)
		}
		part["parts"] = parts
	}
	return part
}

// attach returns a token for a part's content: a new one each time.
func (m *mailbox) attach(msg *message, e *entity) string {
	token := fakeapi.NewSecret("ANGjdJ")
	m.attached[token] = attachment{msg.id, e.data}
	return token
}

func getAttachment(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	if _, err := m.find(c.Vars["messageId"]); err != nil {
		return nil, err
	}
	found, ok := m.attached[c.Vars["id"]]
	if !ok || found.message != c.Vars["messageId"] {
		return nil, fakeapi.Invalid("Invalid attachment token")
	}
	return fakeapi.Object{"size": len(found.data), "data": fakeapi.EncodeBase64(found.data)}, nil
}
