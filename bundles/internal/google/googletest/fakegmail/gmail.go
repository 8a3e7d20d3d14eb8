package fakegmail

import "kota/bundles/internal/google/googletest/fakeapi"

// gmailHandlers returns a handler for each method of Gmail that the fake
// models, by the method's id. KOTA calls these methods, except messages.send,
// modify and delete, which tests call as the user.
func gmailHandlers() map[string]fakeapi.Handler {
	return map[string]fakeapi.Handler{
		"gmail.users.getProfile": getProfile,

		"gmail.users.messages.list":            listMessages,
		"gmail.users.messages.get":             getMessage,
		"gmail.users.messages.attachments.get": getAttachment,
		"gmail.users.messages.send":            sendMessage,
		"gmail.users.messages.modify":          modifyMessage,
		"gmail.users.messages.trash":           trashMessage,
		"gmail.users.messages.untrash":         trashMessage,
		"gmail.users.messages.delete":          deleteMessage,
		"gmail.users.messages.batchModify":     batchModify,

		"gmail.users.threads.get": getThread,

		"gmail.users.drafts.create": createDraft,
		"gmail.users.drafts.get":    getDraft,
		"gmail.users.drafts.list":   listDrafts,
		"gmail.users.drafts.update": updateDraft,
		"gmail.users.drafts.send":   sendDraft,
		"gmail.users.drafts.delete": deleteDraft,

		"gmail.users.labels.list":   listLabels,
		"gmail.users.labels.get":    getLabel,
		"gmail.users.labels.create": createLabel,
		"gmail.users.labels.patch":  changeLabel,
		"gmail.users.labels.update": changeLabel,
		"gmail.users.labels.delete": deleteLabel,

		"gmail.users.history.list": listHistory,

		"gmail.users.settings.sendAs.list": listSendAs,

		"gmail.users.settings.filters.list":   listFilters,
		"gmail.users.settings.filters.create": createFilter,
		"gmail.users.settings.filters.delete": deleteFilter,

		"gmail.users.settings.getVacation":    getVacation,
		"gmail.users.settings.updateVacation": updateVacation,
	}
}

// Service returns the fake Gmail service, made from Google's API description of
// Gmail.
func Service() (*fakeapi.Service, error) {
	return fakeapi.ReadService("gmail/v1/gmail-api.json", gmailHandlers(), func() any { return nil }, func(s *fakeapi.Server, address string) any { return newMailbox(address, s) })
}
