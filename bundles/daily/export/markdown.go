package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/htmltext"
	"kota/store"
)

// A markdownWriter writes a page for people. It writes a zone only if it differs from the
// zone before.
type markdownWriter struct {
	errWriter
	title string // title of the list, until its first item is written
	date  string // of the last heading
	zone  string // of the last time that was written
}

func (m *markdownWriter) begin(title string) {
	m.title = map[string]string{"entries": "# Diary\n", "tasks": "\n# Tasks\n\n", "documents": "\n# Documents\n"}[title]
}

// text writes text that people entered.
func (m *markdownWriter) text(text string) {
	clean, _ := htmltext.Text(text)
	m.write(clean)
}

// item starts an item. An empty list gets no title.
func (m *markdownWriter) item() {
	m.write(m.title)
	m.title = ""
}

func (m *markdownWriter) entry(e *store.DayEntry) {
	m.item()
	if e.Date != m.date {
		m.date = e.Date
		m.write("\n## " + days.InWords(e.Date) + "\n\n")
	}
	said := []string{"-"}
	if at := rows.TimeOf(e); at != "" {
		said = append(said, at)
		if e.Zone != m.zone {
			m.zone = e.Zone
			said = append(said, e.Zone)
		}
	}
	said = append(said, "**"+e.Type+"**")
	if e.Section != "" {
		said = append(said, e.Section+":")
	}
	if e.Text != "" {
		said = append(said, indent(e.Text))
	}
	m.text(strings.Join(append(said, details(e)...), " ") + "\n")
}

// indent keeps the lines of a text inside their list item.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// details returns the values, tags and links of an entry.
func details(e *store.DayEntry) []string {
	values, labels := []string{}, []string{}
	if e.Mood != 0 {
		values = append(values, fmt.Sprintf("mood %d", e.Mood))
	}
	if e.Energy != 0 {
		values = append(values, fmt.Sprintf("energy %d", e.Energy))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Metrics)) {
		values = append(values, fmt.Sprintf("%s %v", name, e.Metrics[name]))
	}
	if len(values) > 0 {
		labels = append(labels, "("+strings.Join(values, ", ")+")")
	}
	for _, tag := range e.Tags {
		labels = append(labels, "#"+strings.ReplaceAll(tag, " ", "-"))
	}
	return append(labels, e.Links...)
}

func (m *markdownWriter) task(t *store.Task) {
	m.item()
	box, said := "[ ]", ""
	switch {
	case t.State == store.TaskDone:
		box, said = "[x]", ", done "+t.Ended
	case t.State == store.TaskDropped:
		box, said = "[-]", ", dropped "+t.Ended
	case t.Due != "":
		said = ", due " + t.Due
	}
	m.text("- " + box + " " + indent(t.Text) + " (since " + t.Added + said + ")\n")
}

// document writes a document. It adds the title as a heading if the body does not start
// with "# ".
func (m *markdownWriter) document(d *store.Document) {
	m.item()
	if strings.HasPrefix(d.Body, "# ") {
		m.text("\n" + d.Body + "\n")
		return
	}
	title := d.Title
	if title == "" {
		title = strings.TrimSpace(d.Type + " " + d.Period)
	}
	m.text("\n## " + title + "\n\n" + d.Body + "\n")
}

func (m *markdownWriter) end() error { return m.err }
