package console

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/metadata"
)

// showMemory shows a memory in full with its history and a form to correct it.
func (q *request) showMemory() error {
	key := q.path[1]
	memory, err := q.memory(key)
	if err != nil {
		return err
	}
	var history struct {
		Changes []view.MemoryChange `json:"changes"`
	}
	if err := q.call("memory_history", args{"key": key, "limit": 50}, &history); err != nil {
		return err
	}
	reveal := q.r.URL.Query().Has("reveal")
	one := memory.view()
	if memory.Secret && reveal {
		one.Text = valueText(memory.Value)
	}
	return q.show(http.StatusOK, "Memory", "memory", func(p view.Page) templ.Component {
		return view.OneMemory(p, one, history.Changes, !memory.Secret || reveal)
	})
}

// memory returns the memory with exactly this key.
func (q *request) memory(key string) (memoryAnswer, error) {
	var answer struct {
		Memories []memoryAnswer `json:"memories"`
	}
	if err := q.call("memory_get", args{"query": key}, &answer); err != nil {
		return memoryAnswer{}, err
	}
	for _, memory := range answer.Memories {
		if memory.Key == key {
			return memory, nil
		}
	}
	return memoryAnswer{}, metadata.Errorf(metadata.NotFound, "there is no memory %q", key)
}

// changeMemory corrects, forgets or restores a memory.
func (q *request) changeMemory() error {
	key, form := q.path[1], q.r.PostForm
	next := "memory/" + escape(key)
	switch form.Get("act") {
	case "save":
		in := args{"key": key, "value": parseValue(form.Get("value"), form.Has("json")), "category": form.Get("category"), "tags": strings.Fields(form.Get("tags"))}
		if form.Get("version") != "" {
			in["if_version"] = json.Number(form.Get("version"))
		}
		return q.change("memory_set", in, next)
	case "pin", "unpin":
		return q.change("memory_update", args{"key": key, "pinned": form.Get("act") == "pin"}, next)
	case "forget":
		return q.change("memory_delete", args{"key": key}, "memory")
	case "erase":
		return q.change("memory_delete", args{"key": key, "permanent": true}, "memory")
	case "restore":
		return q.change("memory_restore", args{"key": key, "version": json.Number(form.Get("version"))}, next)
	}
	return metadata.Errorf(metadata.ValidationError, "the form does not say what to do, so nothing was done")
}

// parseValue returns the value of a form. The value that was JSON before stays JSON.
func parseValue(text string, isJSON bool) any {
	if isJSON && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}
