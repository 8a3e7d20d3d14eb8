package console

import (
	"encoding/json"
	"net/http"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/console/view"
)

// memoryAnswer is a memory in the answers of memory_search, memory_list and memory_get.
type memoryAnswer struct {
	Key        string          `json:"key"`
	Snippet    string          `json:"snippet"`
	Preview    string          `json:"preview"`
	Value      json.RawMessage `json:"value"`
	Secret     bool            `json:"secret"`
	Category   string          `json:"category"`
	Tags       []string        `json:"tags"`
	Updated    string          `json:"updated"`
	Expires    string          `json:"expires_at"`
	Archived   string          `json:"archived"`
	Version    int64           `json:"version"`
	Importance int             `json:"importance"`
	Pinned     bool            `json:"pinned"`
	Source     string          `json:"source"`
	Why        string          `json:"why"`
	Score      float64         `json:"score"`
	Provenance *struct{}       `json:"provenance"`
}

func (m memoryAnswer) view() view.Memory {
	text := m.Snippet + m.Preview
	if m.Secret {
		text = "(secret)"
	} else if len(m.Value) > 0 {
		text = valueText(m.Value)
	}
	return view.Memory{
		Key: m.Key, Text: text, Category: m.Category, Tags: m.Tags, Updated: m.Updated, Expires: m.Expires, Archived: m.Archived, Source: m.Source,
		Why: m.Why, Score: m.Score, Secret: m.Secret, Pinned: m.Pinned, Untrusted: m.Provenance != nil, Importance: m.Importance, Version: m.Version,
	}
}

// valueText returns a value as a person reads it: text without quotes, and other JSON
// indented.
func valueText(value json.RawMessage) string {
	text := ""
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	if indented, err := json.MarshalIndent(value, "", "  "); err == nil {
		return string(indented)
	}
	return string(value)
}

// showMemories lists memories, or searches them.
func (q *request) showMemories() error {
	form := q.r.URL.Query()
	list := view.MemoryList{Query: form.Get("q"), Category: form.Get("category"), Tag: form.Get("tag"), Source: form.Get("source"), Archived: form.Get("archived") != ""}
	var answer struct {
		Hits       []memoryAnswer `json:"hits"`
		Memories   []memoryAnswer `json:"memories"`
		Confidence string         `json:"confidence"`
		Next       string         `json:"next_cursor"`
		Note       string         `json:"note"`
	}
	in := args{"limit": 30}
	if list.Category != "" {
		in["category"] = list.Category
	}
	if list.Tag != "" {
		in["tags"] = []string{list.Tag}
	}
	if cursor := form.Get("cursor"); cursor != "" {
		in["cursor"] = cursor
	}
	tool := "memory_list"
	if list.Query != "" {
		tool, in["query"] = "memory_search", list.Query
	} else {
		if list.Archived {
			in["archived"] = true
		}
		if list.Source != "" {
			in["source"] = list.Source
		}
	}
	if err := q.call(tool, in, &answer); err != nil {
		return err
	}
	for _, found := range append(answer.Hits, answer.Memories...) {
		list.Memories = append(list.Memories, found.view())
	}
	list.Confidence, list.Next, list.Note = answer.Confidence, answer.Next, answer.Note
	var err error
	if list.Categories, err = q.categories(); err != nil {
		return err
	}
	return q.show(http.StatusOK, "Memory", "memory", func(p view.Page) templ.Component { return view.Memories(p, list) })
}

func (q *request) categories() ([]view.Category, error) {
	var answer struct {
		Categories []view.Category `json:"categories"`
	}
	err := q.call("memory_categories", args{}, &answer)
	return answer.Categories, err
}
