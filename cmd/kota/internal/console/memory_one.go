package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
	"kota/cmd/kota/internal/undo"
	"kota/metadata"
	"kota/store"
)

// showMemory shows a memory in full with its history and a form to correct it.
func (q *request) showMemory() error {
	key := q.path[1]
	memory, err := q.memory(key)
	changes, historyErr := q.history(key)
	if metadata.CodeOf(err) == metadata.NotFound && historyErr == nil {
		return q.show(http.StatusOK, "A forgotten memory", "memory", func(p view.Page) templ.Component { return view.Forgotten(p, key, changes) })
	}
	if err := cmp.Or(err, historyErr); err != nil {
		return err
	}
	reveal := q.r.URL.Query().Has("reveal")
	one := memory.view()
	one.Why = "" // the person asked for it by its name
	if memory.Secret && reveal {
		one.Text = valueText(memory.Value)
	}
	return q.show(http.StatusOK, "Memory", "memory", func(p view.Page) templ.Component {
		return view.OneMemory(p, one, changes, !memory.Secret || reveal)
	})
}

// shownChanges limits the history of a memory, and with it the size of its page.
const shownChanges = 20

// history returns the last changes of a memory, the newest first. It reads them from the store, because
// the answer of memory_history shortens the values.
func (q *request) history(key string) ([]view.MemoryChange, error) {
	memories, err := q.app.Memories(q.r.Context())
	if err != nil {
		return nil, err
	}
	revisions, err := memories.History(q.r.Context(), key, shownChanges)
	if err != nil {
		return nil, err
	}
	after, err := memories.Get(q.r.Context(), key)
	if errors.Is(err, store.ErrNotFound) {
		after, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	var changes []view.MemoryChange
	for _, one := range revisions {
		changes = append(changes, view.MemoryChange{
			Version: one.Version, Operation: one.Operation, At: one.At, Undo: one.Undo,
			Before: shorten(undo.MemoryText(one.Before, q.app.Zone()), mostCompared), After: shorten(undo.MemoryText(after, q.app.Zone()), mostCompared),
		})
		after = one.Before
	}
	return changes, nil
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
		for name, kept := range map[string]string{"source": old.Source, "expires_at": old.Expires} { // a new value would remove them
			if kept != "" {
				in[name] = kept
			}
		}
		if version, err := strconv.ParseInt(form.Get("version"), 10, 64); err == nil {
			in["if_version"] = version
		}
		return q.change("memory_set", in, next)
	case "pin", "unpin":
		return q.change("memory_update", args{"key": key, "pinned": form.Get("act") == "pin"}, next)
	case "expire":
		date := form.Get("expires")
		if date == "" {
			return metadata.Errorf(metadata.ValidationError, "choose the day on which KOTA forgets it").WithHint("Go back and choose one.")
		}
		return q.change("memory_update", args{"key": key, "expires_at": date}, next)
	case "keep":
		return q.change("memory_update", args{"key": key, "expires_at": "never"}, next)
	case "forget":
		return q.change("memory_delete", args{"key": key}, "memory")
	case "erase":
		return q.change("memory_delete", args{"key": key, "permanent": true}, "memory")
	case "restore":
		in := args{"key": key}
		if version, err := strconv.ParseInt(form.Get("version"), 10, 64); err == nil {
			in["version"] = version
		}
		return q.change("memory_restore", in, next)
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
