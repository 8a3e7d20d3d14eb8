package google

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// reachesPeople reports whether a request makes Google mail other people, or
// shows them the user's data. A change of an event does so if its sendUpdates
// or sendNotifications asks for mail.
func reachesPeople(req *http.Request) bool {
	path, query := req.URL.EscapedPath(), req.URL.Query()
	notify := query.Get("sendUpdates")
	switch {
	case req.Method == http.MethodGet, req.Method == http.MethodHead:
		return false
	case strings.HasSuffix(path, "/messages/send"), strings.HasSuffix(path, "/drafts/send"):
		return true
	case strings.Contains(path, "/settings/"):
		return settingReachesPeople(req, path)
	case strings.Contains(path, "/acl"): // who may see or change a calendar
		return true
	}
	return notify != "" && notify != "none" || query.Get("sendNotifications") == "true"
}

// settingReachesPeople reports whether a change of Gmail's settings may make
// Google mail other people, or show them the user's data. Such settings are an
// enabled automatic reply, a forwarding filter, and all that KOTA never changes,
// such as delegates and senders. An unreadable body counts; a deletion does not.
func settingReachesPeople(req *http.Request, path string) bool {
	switch {
	case req.Method == http.MethodDelete:
		return false
	case strings.HasSuffix(path, "/settings/vacation"), strings.HasSuffix(path, "/settings/filters"):
	default:
		return true
	}
	var setting struct {
		On     bool `json:"enableAutoReply"`
		Action struct {
			Forward string `json:"forward"`
		} `json:"action"`
	}
	if req.GetBody == nil {
		return true
	}
	body, err := req.GetBody()
	if err != nil {
		return true
	}
	defer body.Close()
	err = json.NewDecoder(io.LimitReader(body, 1<<20)).Decode(&setting)
	return err != nil || setting.On || setting.Action.Forward != ""
}
