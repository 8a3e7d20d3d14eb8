package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
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
		old, err := q.memory(key)
		if err != nil {
			return err
		}
		in := args{"key": key, "value": parseValue(form.Get("value"), old.Value), "category": form.Get("category"), "tags": strings.Fields(form.Get("tags"))}
		if version, err := strconv.ParseInt(form.Get("version"), 10, 64); err == nil {
			in["if_version"] = version
		}
		return q.change("memory_set", in, next)
	case "pin", "unpin":
		return q.change("memory_update", args{"key": key, "pinned": form.Get("act") == "pin"}, next)
	case "forget":
		return q.change("memory_delete", args{"key": key}, "memory")
	case "erase":
		return q.change("memory_delete", args{"key": key, "permanent": true}, "memory")
	case "restore":
		return q.change("memory_restore", args{"key": key, "version": json.RawMessage(cmp.Or(form.Get("version"), "0"))}, next)
	}
	return metadata.Errorf(metadata.ValidationError, "the form does not say what to do, so nothing was done")
}

// parseValue returns the value of a form. A value that was an object, a list or a number before
// stays one if the text is JSON.
func parseValue(text string, before json.RawMessage) any {
	wasText := json.Unmarshal(before, new(string)) == nil
	if !wasText && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}

// showRemember shows the form for a new memory.
func (q *request) showRemember() error {
	return q.show(http.StatusOK, "Write a memory", "memory", func(p view.Page) templ.Component { return view.Remember(p) })
}

// remember stores a new memory. It replaces none.
func (q *request) remember() error {
	form := q.r.PostForm
	key := strings.TrimSpace(form.Get("key"))
	in := args{"key": key, "value": form.Get("value"), "mode": "create", "tags": strings.Fields(form.Get("tags"))}
	if category := strings.TrimSpace(form.Get("category")); category != "" {
		in["category"] = category
	}
	return q.change("memory_set", in, "memory/"+escape(key))
}
